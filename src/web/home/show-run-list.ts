import { z } from 'zod';
import { listReviewableRuns, listRuns } from '../../runs/list-runs.ts';
import { listAllStarters } from '../../runs/read-people.ts';
import { buildPager, withQuery } from '../pager.ts';
import { pollRuns } from '../live-poll.ts';
import { pageRoute } from '../web-route.ts';
import { listRunRows } from '../run-row.ts';
import { isAnyChosen, runFilterFields, runFilterShape, toRunFilter } from './run-filter.ts';
import { typedNumber } from '../../text/typed-number.ts';

const SIZE = 30;
const PATH = '/runs';

const Query = z.object({ ...runFilterShape, page: typedNumber(1, 100_000).catch(1) });

/** The runs of all suites that the viewer may read. */
export const getRuns = pageRoute({ path: PATH, query: Query }, async (ctx, { viewer, query, url, htmx }) => {
  const { page: number, ...chosen } = query;
  const list = { limit: SIZE, offset: (number - 1) * SIZE };
  const read = chosen.review === 'MINE' ? listReviewableRuns : listRuns;
  const { runs, total } = await read(ctx, viewer, toRunFilter(chosen, viewer), list);
  const row = await listRunRows(ctx, runs);
  const live = {
    poll: pollRuns(runs, withQuery(PATH, query), ctx.clock.now()),
    runs: runs.map((run) => row(run)),
    total,
    isFiltered: isAnyChosen(chosen),
    isBeyond: total > 0 && runs.length === 0,
    first: withQuery(PATH, chosen),
    pager: buildPager({ total, page: number, size: SIZE }, PATH, chosen),
  };
  if (htmx) return { kind: 'fragment', view: 'runs-list/live', model: live };
  const others = (await listAllStarters(ctx, viewer)).filter(({ id }) => id !== viewer.id);
  const model = { ...live, address: url, fields: runFilterFields(chosen, others) };
  return { kind: 'page', view: 'runs-list/runs', title: 'Runs', model, section: 'runs' };
});
