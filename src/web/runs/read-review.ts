import type { Context } from '../../context.ts';
import { countCommentsOn } from '../../review/comments/comments.ts';
import type { ReviewResult } from '../../review/list/read-review-result.ts';
import { readReviewResult } from '../../review/list/read-review-result.ts';
import { walkChanges } from '../../review/changes/list-changes.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import { listUndoable, readRunOverview } from '../../review/overview/read-run-overview.ts';
import { listChangeRequests } from '../../review/verdicts/read-verdicts.ts';
import { isBeingJudged } from '../../runs/judging/being-judged.ts';
import { listWarnings } from '../../runs/log/read-warnings.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { readCommentList } from './decisions/comments.ts';
import { firstNews } from './news.ts';
import { readReviewProgress } from './run-bar.ts';
import { readServersNote, causeNote } from './cause-note.ts';
import { baseNote, readSettingsNote, listReviewWarnings } from './result-notes.ts';
import type { ChangeWalk, Strip, Ways } from './results/change-walk.ts';
import { readChangeWalk } from './results/change-walk.ts';
import { ignoreForms, mayIgnore } from './decisions/ignore.ts';
import { resultBody } from './result-body.ts';
import type { ResultHead } from './result-head.ts';
import { describePosition, resultFacts, resultHead, resultStrip, resultWays } from './result-head.ts';
import type { ReviewAddress } from './results/address.ts';
import { plainAddress, reviewPath } from './results/address.ts';
import { countMain } from './results/sidebar.ts';
import { verdictBar } from './verdict-bar.ts';

/** More are not named. */
const MAX_REQUESTS = 10;

export type Asked = { address: ReviewAddress; resultId: string };

/** What is looked at, and the walk that it is a part of: over changes, or over results. */
type Found = {
  overview: RunOverview;
  review: ReviewResult;
  walk: ChangeWalk | null;
  judging: boolean;
  mainTotal: number;
};

/** The steps from here. `nextUndecided` null: all is decided. */
type Steps = { position: string; ways: Ways; nextUndecided: string | null; strip: Strip };

export async function findReviewed(ctx: Context, run: RunFor, { address, resultId }: Asked): Promise<Found> {
  const { change } = address;
  const [overview, review, judging, walk] = await Promise.all([
    readRunOverview(ctx, run),
    readReviewResult(ctx, run, resultId, address.filter),
    isBeingJudged(ctx, run),
    change === null ? null : readChangeWalk(ctx, run, { ...address, change }, resultId),
  ]);
  return { overview, review, walk, judging, mainTotal: countMain(address.filter, review) };
}

/** Before the results without a known cause come the changes. */
async function joinChanges(
  ctx: Context,
  run: RunFor,
  address: ReviewAddress,
  { ways, nextUndecided }: Omit<Steps, 'strip'>,
) {
  if (ways.previous !== null && nextUndecided !== null) return { ways, nextUndecided };
  const { stops } = await walkChanges(ctx, run, null);
  const at = (stop: (typeof stops)[number] | undefined) =>
    stop === undefined ? null : reviewPath({ ...address, change: stop.key, filter: {} }, stop.resultId);
  return {
    ways: { ...ways, previous: ways.previous ?? at(stops.at(-1)) },
    nextUndecided: nextUndecided ?? at(stops.find(({ undecided }) => undecided > 0)),
  };
}

async function readSteps(
  ctx: Context,
  run: RunFor,
  { address }: Asked,
  { review, walk, mainTotal }: Found,
): Promise<Steps> {
  if (walk !== null) return walk;
  const hrefOf = (id: string) => reviewPath(address, id);
  const steps = {
    position: describePosition(review, mainTotal),
    ways: resultWays(review, mainTotal, address.filter, hrefOf),
    nextUndecided: review.nextUnapproved === null ? null : hrefOf(review.nextUnapproved),
  };
  const joined = address.filter.rest === true ? await joinChanges(ctx, run, address, steps) : steps;
  return { ...steps, ...joined, strip: resultStrip(review, address) };
}

/** What one should know of the screenshot before one decides, and how much of it is a reason to look twice. */
async function readNotes(ctx: Context, run: RunFor, { review: { result } }: Found, here: string, sizes: string | null) {
  const [requests, cause, servers, settings, logged] = await Promise.all([
    listChangeRequests(ctx, run, { limit: MAX_REQUESTS, resultId: result.id }),
    causeNote(ctx, run, result),
    readServersNote(ctx, run, result, here),
    readSettingsNote(ctx, run),
    listWarnings(ctx, result),
  ]);
  const base = baseNote(ctx.config, result);
  const warnings = listReviewWarnings(result, sizes, logged);
  const shownCause = result.leftOut ? null : cause;
  const count =
    requests.length + warnings.length + [base, shownCause, servers, settings].filter((note) => note !== null).length;
  return { requests, cause: shownCause, servers, settings, base, warnings, count, facts: resultFacts({ result }) };
}

/** The panel beside the screenshots. */
async function readPanel(
  ctx: Context,
  run: RunFor,
  { address, resultId }: Asked,
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

/** All that the page of a review shows, but the list beside it. */
export async function readReview(ctx: Context, run: RunFor, asked: Asked, found: Found) {
  const { address, resultId } = asked;
  const { overview, review, walk, judging } = found;
  const here = reviewPath(address, resultId);
  const [steps, body, undoable, commented, progress] = await Promise.all([
    readSteps(ctx, run, asked, found),
    resultBody(ctx, overview, review, { address, judging }),
    listUndoable(ctx, run, review.result.approved ? [resultId] : []),
    countCommentsOn(ctx, run, resultId),
    readReviewProgress(ctx, overview),
  ]);
  const ignorable = !judging && mayIgnore(run, review.result);
  const open = address.panel === 'ignore' && !ignorable ? { ...asked, address: { ...address, panel: null } } : asked;
  const [notes, panel] = await Promise.all([
    readNotes(ctx, run, found, here, body.comparison?.sizes ?? null),
    readPanel(ctx, run, open, found, here, body.isRearranged),
  ]);
  const { position, ways, nextUndecided, strip } = steps;
  const head: ResultHead = resultHead(overview, review, address, walk, position);
  const to = ({ panel: name }: Pick<ReviewAddress, 'panel'>) =>
    reviewPath({ ...address, panel: address.panel === name ? null : name }, resultId);
  return {
    id: resultId,
    stop: walk?.stop.key ?? resultId,
    title: `${walk === null ? '' : `${walk.stop.summary} ${walk.stop.element} · `}${review.result.path} at ${review.result.viewport} · ${run.suite.name}`,
    head,
    position,
    ways,
    strip: strip.groups.length === 0 ? null : strip,
    bar: verdictBar(overview, review, walk, {
      next: nextUndecided,
      here,
      canUndo: undoable.has(resultId),
      requests: notes.requests,
    }),
    notes,
    panel,
    tools: {
      notes: { href: to({ panel: 'notes' }), current: address.panel === 'notes' },
      comments: { href: to({ panel: 'comments' }), count: commented.count, current: address.panel === 'comments' },
      ignore: ignorable ? { href: to({ panel: 'ignore' }), current: address.panel === 'ignore' } : null,
    },
    news: firstNews(run, resultId, commented.last),
    progress,
    here,
    judging,
    ...body,
  };
}
