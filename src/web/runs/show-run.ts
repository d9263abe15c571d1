import type { ResultLayout } from '../../auth/preferences.ts';
import { RESULT_LAYOUTS } from '../../auth/preferences.ts';
import type { Context } from '../../context.ts';
import { formatCount } from '../../text/format.ts';
import { listRunsOfSuite } from '../../runs/list-runs.ts';
import { countLogLines } from '../../runs/log/read-log-part.ts';
import { readPeople } from '../../runs/read-people.ts';
import type { RunFor } from '../../runs/read-run.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import { mayUnapprove } from '../../review/approval/undo-approval.ts';
import { listApprovers, readRunOverview } from '../../review/overview/read-run-overview.ts';
import { countCommentsOn } from '../../review/comments/comments.ts';
import { listChangeRequests } from '../../review/verdicts/read-verdicts.ts';
import { readRest } from '../../review/list/list-for-review.ts';
import type { ReviewFilter } from '../../review/list/review-row.ts';
import { isDecidable, isInFlight } from '../../runs/run.ts';
import type { Reply } from '../reply.ts';
import { withQuery } from '../pager.ts';
import type { Can } from '../permissions.ts';
import { readPreviewSearch } from '../../pull-requests/previews/read-preview-search.ts';
import { listPermissions } from '../permissions.ts';
import { assigneesModel } from './decisions/assignees.ts';
import type { ChangeList } from './results/change-list.ts';
import { readChangeList } from './results/change-list.ts';
import { readLive } from './live.ts';
import { filterQuery, isFiltered, resultPath, runPath } from './results/address.ts';
import type { ResultsByPage } from './results/results-by-page.ts';
import { readResultsByPage } from './results/results-by-page.ts';
import { resultToolbar, sectionChips } from './results/result-toolbar.ts';
import { runBar, readReviewProgress } from './run-bar.ts';
import type { CommentList } from './decisions/comments.ts';
import { readCommentList } from './decisions/comments.ts';
import { firstNews } from './news.ts';
import { readSettings } from '../../runs/settings-change/read-settings.ts';
import { LOOKS_SHOWN, settingsSection } from './decisions/settings.ts';
import { explainEnding, describeWaiting } from './run-state.ts';
import { runHead } from './run-head.ts';
import { serversNote } from './cause-note.ts';
import type { IconName } from '../icons.ts';

/** More are not named above the results. */
const MAX_REQUESTS = 20;

/** The newer run that replaced this one is searched for among this many pull request runs. */
const NEWER_RUNS = 50;

async function newerRun(ctx: Context, { run, suite }: RunOverview): Promise<string | null> {
  const by = run.metadata?.reason === 'superseded' ? run.metadata.by : undefined;
  if (by === undefined) return null;
  const { runs } = await listRunsOfSuite(ctx, suite, { runType: 'PR' }, { limit: NEWER_RUNS, offset: 0 });
  return runs.find(({ git }) => git?.headSha === by && git.prNumber === run.git?.prNumber)?.id ?? null;
}

/** The form that undoes all approvals of the run. Null if there are none that one can undo. */
function undoForm({ run, undoable }: RunOverview, can: Can) {
  if (!can.approve || undoable === 0 || !isDecidable(run.status)) return null;
  const approvals = formatCount(undoable + (mayUnapprove(run) ? 1 : 0), 'approval');
  const question = `Undo ${approvals} in this run? The screenshots will need a review again.`;
  return { question, button: `Undo ${approvals}`, action: `/runs/${run.id}/undo`, seen: run.verdictNumber };
}

function runActions(overview: RunOverview, can: Can) {
  const { run, suite, errorPaths, counts } = overview;
  const over = !isInFlight(run.status);
  const errors = formatCount(counts.error, 'error');
  return {
    log: `/runs/${run.id}/log`,
    undo: undoForm(overview, can),
    cancel:
      over || !can.run
        ? null
        : {
            label: 'Cancel run',
            question: 'Cancel this run? You can still view its results, but not approve them.',
            button: 'Cancel run',
            action: `/runs/${run.id}/cancel`,
            small: false,
          },
    rerun:
      can.run && suite.isActive && isDecidable(run.status) && errorPaths > 0
        ? { label: `Retry ${errors}`, action: `/runs/${run.id}/rerun` }
        : null,
    render:
      can.run && suite.isActive && isDecidable(run.status) && run.metadata?.provenScreenshots !== undefined
        ? `/runs/${run.id}/rerun`
        : null,
    again: over && can.run && suite.isActive && run.runType !== 'PR' ? `/suites/${suite.id}` : null,
  };
}

/** The number of warnings and errors in the log. Null if there are none. */
async function readTrouble(ctx: Context, run: RunFor) {
  const { WARNING, ERROR } = await countLogLines(ctx, run);
  if (WARNING + ERROR === 0) return null;
  return {
    warnings: WARNING,
    errors: ERROR,
    both: WARNING > 0 && ERROR > 0,
    href: `/runs/${run.id}/log?type=WARNING&type=ERROR`,
  };
}

/** How the results with their thumbnails can be laid out. */
const LAYOUTS: Record<ResultLayout, { label: string; icon: IconName }> = {
  list: { label: 'List', icon: 'list-unordered' },
  grid: { label: 'Grid', icon: 'apps' },
};

/** The forms of the page that return to the current filtered list. */
const FORMS = ['review', 'rerun', 'layout'];

/** `byPage`: the list of results in place of the changes. `changes`: how many causes come before the first one shown. */
export type RunView = { filter: ReviewFilter; offset: number; changes: number; byPage: boolean; layout: ResultLayout };

type ListView = Pick<RunView, 'filter' | 'offset'>;

/** The changes have what has no known change below them. */
const listOf = ({ filter, offset, byPage }: RunView): ListView =>
  byPage ? { filter, offset } : { filter: { rest: true }, offset };

/**
 * Starts at the beginning if nothing is left at this place, because some filters exclude results once they are
 * approved.
 */
async function listAt(ctx: Context, overview: RunOverview, { filter, offset }: ListView) {
  const list = await readResultsByPage(ctx, overview, { filter, offset, lastSection: null });
  if (list.groups.length > 0 || offset === 0) return { list, offset };
  return { list: await readResultsByPage(ctx, overview, { filter, offset: 0, lastSection: null }), offset: 0 };
}

/** Announced to screen readers when the results are filtered. */
function describeList({ groups, folded, more }: ResultsByPage): string {
  if (groups.length === 0) return folded.length === 0 ? 'No matching results' : 'No changes';
  return `Showing ${formatCount(groups.length, 'page')}${more === null ? '' : ', more below'}`;
}

/** The time of the last comment on the run, which is known where all are listed. */
async function readLastComment(ctx: Context, run: RunFor, { hasMore, last }: CommentList): Promise<string | null> {
  return hasMore ? (await countCommentsOn(ctx, run, null)).last : last;
}

/** What `runs/results` prints: the sections, and one part of the list. */
export async function resultsModel(ctx: Context, overview: RunOverview, view: ListView) {
  const { filter } = view;
  const { list, offset } = await listAt(ctx, overview, view);
  const { run, counts } = overview;
  const isRest = filter.rest === true;
  const isFresh = run.runType === 'MANUAL' && (filter.section === undefined || isRest);
  return {
    chips: isRest ? [] : sectionChips(overview, filter),
    list,
    back: withQuery(`/runs/${run.id}`, {
      view: isRest ? null : 'pages',
      ...filterQuery({ ...filter, rest: undefined }),
      offset: offset === 0 ? null : offset,
    }),
    forms: FORMS,
    isEmpty: list.groups.length === 0 && list.folded.length === 0 && !isRest,
    isCalm:
      run.status === 'COMPLETED' &&
      list.groups.length === 0 &&
      (isRest ? overview.toDecide + counts.error === 0 : list.folded.length > 0),
    seeded:
      isFresh && counts.new > 0
        ? { count: counts.new, href: isRest ? runPath(run.id, { section: 'new' }) : null }
        : null,
    isFiltered: isFiltered(filter),
    said: describeList(list),
    clear: `/runs/${run.id}?view=pages`,
  };
}

export async function showRun(ctx: Context, run: RunFor, view: RunView): Promise<Reply> {
  const overview = await readRunOverview(ctx, run);
  const { suite } = run;
  const can = listPermissions(suite.access);
  const inFlight = isInFlight(run.status);
  const byPage = view.byPage || isFiltered(view.filter);
  const showsResults = !inFlight || byPage || view.offset > 0;
  const [approvers, requests, comments, progress, live, results, changes, trouble, newer, people, settings, rest] =
    await Promise.all([
      listApprovers(ctx, overview),
      listChangeRequests(ctx, run, { limit: MAX_REQUESTS }),
      inFlight ? null : readCommentList(ctx, run, { back: `/runs/${run.id}`, result: null }),
      readReviewProgress(ctx, overview),
      inFlight ? readLive(ctx, overview, view, { settled: overview.settled, wait: 0 }) : null,
      showsResults ? resultsModel(ctx, overview, listOf({ ...view, byPage })) : null,
      inFlight ? null : readChangeList(ctx, overview, view.changes),
      readTrouble(ctx, run),
      newerRun(ctx, overview),
      readPeople(ctx, [run]),
      readSettings(ctx, run, { looks: inFlight ? 0 : LOOKS_SHOWN }),
      readRest(ctx, run),
    ]);
  const assignees = await assigneesModel(ctx, run);
  const head = runHead(ctx.config, overview, approvers, people);
  const bar = runBar(overview, { can, requests, progress, changes: changes?.undecided ?? 0, others: rest.undecided });
  const model = {
    head,
    assignees,
    actions: runActions(overview, can),
    ending: explainEnding(run, newer, people.get(run.cancelledById ?? '')),
    trouble,
    waiting: describeWaiting(ctx.config, overview, inFlight ? await readPreviewSearch(ctx, run) : null),
    live,
    arrivals: !showsResults && overview.total > 0,
    comments,
    news: comments === null ? null : firstNews(run, null, await readLastComment(ctx, run, comments)),
    requests: requests.map((request) => ({
      ...request,
      href: request.resultId === null ? null : resultPath(run.id, request.resultId),
    })),
    servers: serversNote(overview),
    settings: settingsSection(overview, settings, {
      can,
      isMine: requests.some(({ resultId, author }) => resultId === null && author.id === suite.viewer.id),
    }),
    bar,
    views: overview.total === 0 || !showsResults ? [] : listViews(run.id, byPage, changes, overview),
    toolbar: overview.total === 0 || !byPage ? null : resultToolbar(overview, view.filter),
    changes: byPage ? null : changes,
    results,
    layout: view.layout,
    layouts: RESULT_LAYOUTS.map((value) => ({ value, ...LAYOUTS[value], current: value === view.layout })),
  };
  return { kind: 'page', view: 'runs/show', title: head.pageTitle, model, section: 'runs' };
}

/** The two ways to see what a run found. The key `g` leads from one to the other. */
function listViews(runId: string, byPage: boolean, changes: ChangeList | null, { total }: RunOverview) {
  return [
    { label: 'By change', count: changes?.total ?? 0, href: `/runs/${runId}`, current: !byPage },
    { label: 'By page', count: total, href: `/runs/${runId}?view=pages`, current: byPage },
  ];
}
