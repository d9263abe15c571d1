import { personName } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { readPreviewSearch } from '../../pull-requests/previews/preview-search-store.ts';
import { readUndoable } from '../../review/approval/approval-store.ts';
import { readCommentsOn } from '../../review/comments/comment-store.ts';
import { readRest, readReviewResult } from '../../review/list/list-for-review.ts';
import type { ReviewFilter } from '../../review/list/review-row.ts';
import { readRunOverview, type RunOverview } from '../../review/overview/read-run-overview.ts';
import { listChangeRequests } from '../../review/verdicts/read-verdicts.ts';
import { isBeingJudged } from '../../runs/judging/queue-judgement.ts';
import { listRuns } from '../../runs/list/list-runs.ts';
import { countLogLines } from '../../runs/log/read-logs.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { isInFlight } from '../../runs/run.ts';
import { readSettings } from '../../runs/settings-change/read-settings.ts';
import { listPermissions } from '../permissions.ts';
import { readTogether } from '../read-together.ts';
import { isAnySet } from '../web-route.ts';
import { LOOKS_SHOWN } from './decisions/decide.ts';
import { ignoreForms, mayIgnore } from './decisions/ignore.ts';
import { assigneesModel, readCommentList } from './decisions/run-forms.ts';
import { readHeardOfRun } from './heard.ts';
import { firstNews, readLive } from './live.ts';
import { readSteps, resultBody } from './result-body.ts';
import { readNotes } from './result-notes.ts';
import { plainAddress, reviewPath, type ReviewAddress } from './results/address.ts';
import { readChangeList } from './results/change-list.ts';
import { readChangeWalk } from './results/change-walk.ts';
import { resultsModel } from './results/results-by-page.ts';
import { countMain, readSidebar, readSidebarPart } from './results/sidebar.ts';
import { readReviewProgress, readRunHead } from './run-head.ts';
import { describeWaiting } from './run-state.ts';

/** The maximum number that is named. */
const MAX_REQUESTS = 20;

/** The newer run that replaced this one is searched for among this many pull request runs. */
const NEWER_RUNS = 50;

async function newerRun(ctx: Context, run: RunFor): Promise<string | null> {
  const by = run.metadata?.reason === 'superseded' ? run.metadata.by : undefined;
  if (by === undefined) return null;
  const { runs } = await listRuns(ctx, { suite: run.suite }, { runType: 'PR' }, { limit: NEWER_RUNS, offset: 0 });
  return runs.find(({ git }) => git?.headSha === by && git.prNumber === run.git?.prNumber)?.id ?? null;
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

/** What every page of a review shows, of the whole run or of one result. */
async function readShared(ctx: Context, run: RunFor, resultId: string | null) {
  const [overview, requests] = await Promise.all([
    readRunOverview(ctx, run),
    listChangeRequests(ctx, run, { limit: MAX_REQUESTS, ...(resultId === null ? {} : { resultId }) }),
  ]);
  const progress = await readReviewProgress(ctx, overview);
  return {
    run,
    suite: run.suite,
    can: listPermissions(run.suite.access),
    overview,
    requests: requests.map((request) => ({ ...request, who: personName(request.author) })),
    progress,
  };
}

type Shared = Awaited<ReturnType<typeof readShared>>;

/** `byPage`: the list of results in place of the changes. `changes`: how many causes come before the first one shown. */
type RunView = { filter: ReviewFilter; offset: number; changes: number; byPage: boolean };

async function readWhole(ctx: Context, { run, overview }: Shared, view: RunView) {
  const inFlight = isInFlight(run.status);
  const byPage = view.byPage || isAnySet(view.filter);
  const showsResults = !inFlight || byPage || view.offset > 0;
  // Results without a known change are listed below the changes.
  const list = byPage ? view : { filter: { rest: true }, offset: view.offset };
  const { search, ...read } = await readTogether({
    head: readRunHead(ctx, overview),
    comments: inFlight ? null : readCommentList(ctx, run, { back: `/runs/${run.id}`, result: null }),
    live: inFlight ? readLive(ctx, overview, view, { settled: overview.settled, wait: 0 }) : null,
    results: showsResults ? resultsModel(ctx, overview, list) : null,
    changes: inFlight ? null : readChangeList(ctx, run, view.changes),
    heard: inFlight ? null : readHeardOfRun(ctx, run),
    trouble: readTrouble(ctx, run),
    newer: newerRun(ctx, run),
    settings: readSettings(ctx, run, { looks: inFlight ? 0 : LOOKS_SHOWN }),
    rest: readRest(ctx, run),
    assignees: assigneesModel(ctx, run),
    search: inFlight ? readPreviewSearch(ctx.db, run) : null,
  });
  const { comments } = read;
  return {
    ...read,
    filter: view.filter,
    byPage,
    waiting: describeWaiting(ctx.config, run, search),
    news: comments === null ? null : firstNews(run, null, comments.last),
  };
}

/** `list`: the place where the list beside it starts, from 0; null: where the result is. `alone`: without that list. */
type ResultView = { address: ReviewAddress; resultId: string; list: number | null; alone: boolean };

/** The open change or result, and the walk that it belongs to: over changes, or over results. */
async function findReviewed(
  ctx: Context,
  run: RunFor,
  { address, resultId }: Pick<ResultView, 'address' | 'resultId'>,
) {
  const { change } = address;
  const found = await readTogether({
    review: readReviewResult(ctx, run, resultId, address.filter),
    judging: isBeingJudged(ctx, run),
    walk: change === null ? null : readChangeWalk(ctx, run, { ...address, change }, resultId),
  });
  return { ...found, mainTotal: countMain(address.filter, found.review) };
}

type Found = Awaited<ReturnType<typeof findReviewed>>;

/** The panel beside the screenshots. */
async function readPanel(
  ctx: Context,
  run: RunFor,
  { address, resultId }: Pick<ResultView, 'address' | 'resultId'>,
  { review }: Found,
  here: string,
  isRearranged: boolean,
) {
  const draw = isRearranged ? reviewPath(plainAddress(address), resultId) : null;
  const closed = reviewPath({ ...address, panel: null }, resultId);
  switch (address.panel) {
    case 'comments':
      return { closed, comments: { ...(await readCommentList(ctx, run, { back: here, result: resultId })), draw } };
    case 'ignore':
      return { closed, ignore: await ignoreForms(ctx, run, review.result, { back: closed, draw }) };
    case 'notes':
      return { closed, isNotes: true };
    case null:
      return null;
  }
}

/** The list beside a result. */
const rowsOf = ({ address, resultId }: ResultView, overview: RunOverview, { review, mainTotal }: Found) => ({
  address,
  overview,
  currentId: resultId,
  total: review.total,
  mainTotal,
});

async function readOne(ctx: Context, { run, overview, requests }: Shared, found: Found, view: ResultView) {
  const { address, resultId, list } = view;
  const { review, walk, judging } = found;
  const here = reviewPath(address, resultId);
  const { undoable, ...read } = await readTogether({
    steps: readSteps(ctx, run, address, found),
    body: resultBody(ctx, overview, review, { address, judging }),
    undoable: readUndoable(ctx.db, run, review.result.approved ? [resultId] : []),
    commented: readCommentsOn(ctx.db, run, resultId),
    sidebar:
      view.alone || walk !== null
        ? null
        : readSidebar(ctx, rowsOf(view, overview, found), {
            at: list ?? (review.place ?? 1) - 1,
            exact: list !== null,
          }),
  });
  const { body, commented } = read;
  const ignorable = !judging && mayIgnore(run, review.result);
  const open = address.panel === 'ignore' && !ignorable ? { address: { ...address, panel: null }, resultId } : view;
  const [notes, panel] = await Promise.all([
    readNotes(ctx, run, review.result, { here, sizes: body.comparison?.sizes ?? null, requests }),
    readPanel(ctx, run, open, found, here, body.isRearranged),
  ]);
  return {
    ...found,
    ...read,
    address,
    resultId,
    here,
    ignorable,
    notes,
    panel,
    canUndo: undoable.has(resultId),
    news: firstNews(run, resultId, commented.last),
  };
}

export type RunReview = Shared & Awaited<ReturnType<typeof readWhole>>;
export type ResultReview = Shared & Awaited<ReturnType<typeof readOne>>;

/** All that the page of a run shows. */
export async function readRunReview(ctx: Context, run: RunFor, view: RunView): Promise<RunReview> {
  const shared = await readShared(ctx, run, null);
  return { ...shared, ...(await readWhole(ctx, shared, view)) };
}

/** All that the page of a result shows. */
export async function readResultReview(ctx: Context, run: RunFor, view: ResultView): Promise<ResultReview> {
  const [shared, found] = await Promise.all([readShared(ctx, run, view.resultId), findReviewed(ctx, run, view)]);
  return { ...shared, ...(await readOne(ctx, shared, found, view)) };
}

/** Only a part of the list beside a result, from `list` until a place. */
export async function readListPart(
  ctx: Context,
  run: RunFor,
  view: ResultView & { list: number },
  until: number | null,
) {
  const [overview, found] = await Promise.all([readRunOverview(ctx, run), findReviewed(ctx, run, view)]);
  return readSidebarPart(ctx, rowsOf(view, overview, found), view.list, until);
}
