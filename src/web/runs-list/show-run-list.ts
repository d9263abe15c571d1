import { z } from 'zod';
import { AWAITING_REVIEW, listRuns } from '../../runs/list-runs.ts';
import type { RunFilter } from '../../runs/run-list.ts';
import { IN_FLIGHT, REVIEW_STATES, RUN_STATUSES, RUN_TYPES } from '../../runs/run.ts';
import { tallyRuns } from '../../review/overview/tally-runs.ts';
import { buildFields } from '../form-field.ts';
import { buildPager, withQuery } from '../pager.ts';
import { pollRuns } from '../live-poll.ts';
import { pageRoute } from '../web-route.ts';
import { runRow } from '../run-row.ts';

const SIZE = 30;
const PATH = '/runs';

/** Unknown filter values are ignored. */
const Query = z.object({
  status: z
    .enum(['IN_FLIGHT', ...RUN_STATUSES])
    .optional()
    .catch(undefined),
  type: z.enum(RUN_TYPES).optional().catch(undefined),
  review: z.enum(REVIEW_STATES).optional().catch(undefined),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
});
type Query = z.output<typeof Query>;

const ANY = { value: '', label: 'Any' };

const STATUSES = [
  ANY,
  { value: 'IN_FLIGHT', label: 'In progress' },
  { value: 'COMPLETED', label: 'Completed' },
  { value: 'FAILED', label: 'Failed' },
  { value: 'CANCELLED', label: 'Cancelled' },
  { value: 'PENDING', label: 'Waiting' },
  { value: 'RUNNING', label: 'Running' },
];
const TYPES = [
  ANY,
  { value: 'PR', label: 'Pull request' },
  { value: 'BRANCH', label: 'Branch preview' },
  { value: 'MANUAL', label: 'Site run' },
];
const REVIEWS = [
  ANY,
  { value: 'PENDING', label: 'Review required' },
  { value: 'APPROVED', label: 'Approved' },
  { value: 'NOT_REQUIRED', label: 'No changes' },
];

/** A pending review means the same runs that the dashboard counts, unless a status is selected. */
function toRunFilter({ status, type, review }: Query): RunFilter {
  const statuses = status === undefined ? undefined : status === 'IN_FLIGHT' ? IN_FLIGHT : [status];
  const filter = { statuses, runType: type, reviewState: review };
  return review === 'PENDING' && statuses === undefined ? { ...filter, ...AWAITING_REVIEW } : filter;
}

const filterForm = ({ status, type, review }: Query) =>
  buildFields(
    {
      status: { label: 'Status', type: 'select', value: status ?? '', options: STATUSES },
      type: { label: 'Type', type: 'select', value: type ?? '', options: TYPES },
      review: { label: 'Review', type: 'select', value: review ?? '', options: REVIEWS },
    },
    null,
  );

/** The runs of all suites that the viewer may read. */
export const getRuns = pageRoute({ path: PATH, query: Query }, async (ctx, { viewer, query, url, htmx }) => {
  const { page: number, ...chosen } = query;
  const list = { limit: SIZE, offset: (number - 1) * SIZE };
  const { runs, total } = await listRuns(ctx, viewer, toRunFilter(query), list);
  const tallies = await tallyRuns(
    ctx,
    runs.map((run) => run.id),
  );
  const now = ctx.clock.now();
  const isFiltered = Object.values(chosen).some((value) => value !== undefined);
  const live = {
    poll: pollRuns(runs, withQuery(PATH, query), now),
    runs: runs.map((run) => runRow(run, tallies.get(run.id), now)),
    total,
    isFiltered,
    isBeyond: total > 0 && runs.length === 0,
    first: withQuery(PATH, chosen),
    pager: buildPager({ total, page: number, size: SIZE }, PATH, chosen),
  };
  if (htmx) return { kind: 'fragment', view: 'runs-list/live', model: live };
  const model = { ...live, address: url, fields: filterForm(query) };
  return { kind: 'page', view: 'runs-list/runs', title: 'Runs', model, section: 'runs' };
});
