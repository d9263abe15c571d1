import { z } from 'zod';
import type { Viewer } from '../../auth/user.ts';
import { onSuite } from '../../http/acts-on.ts';
import { AWAITING_REVIEW, listRuns, listStarters } from '../../runs/list/list-runs.ts';
import type { RunFilter } from '../../runs/list/run-list.ts';
import { BRANCH_MAX_LENGTH, IN_FLIGHT, REVIEW_STATES, RUN_STATUSES, RUN_TYPES } from '../../runs/run.ts';
import { SEARCH_MAX_LENGTH } from '../../runs/search/run-search.ts';
import { buildFields, PageNumber, queryText, toOptions } from '../form-field.ts';
import { pollRuns } from '../live-poll.ts';
import { listRunRows } from '../run-row.ts';
import { suitePage } from '../suites/suite-head.ts';
import { backToLast, buildPager, isAnySet, pagePart, pageRoute, withQuery } from '../web-route.ts';

/** The filter in the URL of a list of runs. Unknown values are ignored. */
const runFilterShape = {
  status: z
    .enum(['IN_FLIGHT', ...RUN_STATUSES])
    .optional()
    .catch(undefined),
  type: z.enum(RUN_TYPES).optional().catch(undefined),
  /** `MINE`: only what the viewer may approve. `ASSIGNED`: only what is assigned to them. */
  review: z
    .enum(['ASSIGNED', 'MINE', ...REVIEW_STATES])
    .optional()
    .catch(undefined),
  branch: queryText(BRANCH_MAX_LENGTH),
  /** Whose runs: an account's id, or `me`. */
  by: z
    .union([z.literal('me'), z.uuid()])
    .optional()
    .catch(undefined),
  search: queryText(SEARCH_MAX_LENGTH),
};
const Chosen = z.object(runFilterShape);
type ChosenRuns = z.output<typeof Chosen>;

const ANY = { '': 'Any' };

const STATUSES = toOptions({
  ...ANY,
  IN_FLIGHT: 'Running',
  COMPLETED: 'Completed',
  FAILED: 'Failed',
  CANCELLED: 'Cancelled',
});
const TYPES = toOptions({ ...ANY, PR: 'Pull request', BRANCH: 'Branch preview', MANUAL: 'Site run' });
const REVIEWS = toOptions({
  ...ANY,
  ASSIGNED: 'Waiting for me',
  MINE: 'Awaiting my review',
  PENDING: 'Review required',
  APPROVED: 'Approved',
  NOT_REQUIRED: 'No changes',
});

/** A pending review means the same runs that the dashboard counts, unless a status is selected. */
function toRunFilter({ status, type, review, branch, by, search }: ChosenRuns, viewer: Viewer): RunFilter {
  const statuses = status === undefined ? undefined : status === 'IN_FLIGHT' ? IN_FLIGHT : [status];
  const startedById = by === 'me' ? viewer.id : by;
  const reviewState = review === 'MINE' || review === 'ASSIGNED' ? 'PENDING' : review;
  const assigneeId = review === 'ASSIGNED' ? viewer.id : undefined;
  const filter = { statuses, runType: type, reviewState, branch, startedById, assigneeId, search };
  return reviewState === 'PENDING' && statuses === undefined ? { ...filter, ...AWAITING_REVIEW } : filter;
}

/** @param people those to choose from */
function runFilterFields(
  { status, type, review, branch, by, search }: ChosenRuns,
  people: { id: string; name: string }[],
  viewer: Viewer,
) {
  const others = people.filter(({ id }) => id !== viewer.id).map(({ id, name }) => ({ value: id, label: name }));
  const isListed = by === undefined || by === 'me' || others.some(({ value }) => value === by);
  const unlisted = isListed ? [] : [{ value: by, label: 'Someone else' }];
  return buildFields(
    {
      search: {
        label: 'Search',
        type: 'search',
        value: search ?? '',
        attributes: { placeholder: 'Number, commit, pull request, branch', maxlength: SEARCH_MAX_LENGTH },
      },
      status: { label: 'Status', type: 'select', value: status ?? '', options: STATUSES },
      type: { label: 'Type', type: 'select', value: type ?? '', options: TYPES },
      review: { label: 'Review', type: 'select', value: review ?? '', options: REVIEWS },
      branch: {
        label: 'Branch',
        value: branch ?? '',
        attributes: { maxlength: BRANCH_MAX_LENGTH, spellcheck: 'false' },
      },
      by: {
        label: 'Started by',
        type: 'select',
        value: by ?? '',
        options: [{ value: '', label: 'Anyone' }, { value: 'me', label: 'Me' }, ...others, ...unlisted],
      },
    },
    null,
  );
}

const SIZE = 30;
const PATH = '/runs';

const Query = z.object({ ...runFilterShape, page: PageNumber });

/** The runs of all suites that the viewer may read. */
export const getRuns = pageRoute({ path: PATH, query: Query }, async (ctx, { viewer, query, url, htmx }) => {
  const { page, ...chosen } = query;
  const shown = { page, size: SIZE, path: PATH, query: chosen };
  const scope = chosen.review === 'MINE' ? { reviewableBy: viewer } : { readableBy: viewer };
  const { runs, total } = await listRuns(ctx, scope, toRunFilter(chosen, viewer), pagePart(shown));
  const back = backToLast(shown, total);
  if (back !== null) return back;
  const row = await listRunRows(ctx, runs);
  const live = {
    poll: pollRuns(runs, withQuery(PATH, query), ctx.clock.now()),
    runs: runs.map((run) => row(run)),
    total,
    isFiltered: isAnySet(chosen),
    pager: buildPager(shown, total),
  };
  if (htmx) return { kind: 'fragment', view: 'runs-list/live', model: live };
  const model = {
    ...live,
    address: url,
    fields: runFilterFields(chosen, await listStarters(ctx, { readableBy: viewer }), viewer),
  };
  return { kind: 'page', view: 'runs-list/runs', title: 'Runs', model, section: 'runs' };
});

const RUNS_AT_ONCE = 25;

/** The filters of the list. The first one shows all runs. */
const CHOICES = [
  { value: null, label: 'All', filter: {} },
  { value: 'review', label: 'To review', filter: AWAITING_REVIEW },
  { value: 'running', label: 'Running', filter: { statuses: IN_FLIGHT } },
  { value: 'failed', label: 'Failed', filter: { statuses: ['FAILED'] } },
  { value: 'site', label: 'Site', filter: { runType: 'MANUAL' } },
  { value: 'branch', label: 'Branch previews', filter: { runType: 'BRANCH' } },
  { value: 'pr', label: 'Pull requests', filter: { runType: 'PR' } },
] as const satisfies { value: string | null; label: string; filter: RunFilter }[];

const SuiteQuery = z.object({ ...runFilterShape, show: z.string().nullable().catch(null), page: PageNumber });

/** The runs of one suite, newest first. */
export const getSuiteRuns = pageRoute(
  { path: '/suites/:id/runs', ...onSuite('suite.read'), query: SuiteQuery },
  async (ctx, { suite, viewer, query }) => {
    const path = `/suites/${suite.id}/runs`;
    const { show: _show, page, ...asked } = query;
    const chosen = CHOICES.find(({ value }) => value === query.show) ?? CHOICES[0];
    const shown = { page, size: RUNS_AT_ONCE, path, query: { ...asked, show: chosen.value } };
    const wanted = toRunFilter(asked, viewer);
    const [{ runs, total }, starters] = await Promise.all([
      listRuns(ctx, { suite }, { ...wanted, ...chosen.filter }, pagePart(shown)),
      listStarters(ctx, { suite }),
    ]);
    const back = backToLast(shown, total);
    if (back !== null) return back;
    const row = await listRunRows(ctx, runs);
    const model = {
      choices: CHOICES.map(({ value, label }) => ({
        label,
        href: withQuery(path, { ...asked, show: value }),
        current: value === chosen.value,
      })),
      // The suite is already shown above the list, so each row starts with what started the run.
      runs: runs.map(({ testSuite: _suite, ...run }) => row(run)),
      pager: buildPager(shown, total),
      filtered: chosen.value !== null || isAnySet(asked),
      show: chosen.value,
      total,
      fields: runFilterFields(asked, starters, viewer),
      path,
    };
    return suitePage(ctx, suite, { tab: 'runs' }, { view: 'suites/runs', title: 'Runs', model });
  },
);
