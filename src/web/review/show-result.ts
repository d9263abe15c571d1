import { z } from 'zod';
import type { Context } from '../../context.ts';
import { readReviewResult } from '../../review/list/read-review-result.ts';
import { listChangeRequests } from '../../review/verdicts/read-verdicts.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import { listUndoable, readRunOverview } from '../../review/overview/read-run-overview.ts';
import { isBeingJudged } from '../../runs/judging/being-judged.ts';
import { getRunFor } from '../../runs/read-run.ts';
import type { RunFor } from '../../runs/read-run.ts';
import type { Reply } from '../reply.ts';
import { redirect } from '../reply.ts';
import { pageRoute } from '../web-route.ts';
import { listWarnings } from '../../runs/log/read-warnings.ts';
import { listReviewWarnings } from './list-warnings.ts';
import { countCommentsOn } from '../../review/comments/comments.ts';
import { readCommentList } from '../runs/comment-list.ts';
import { firstNews } from '../runs/news.ts';
import { readReviewProgress } from '../runs/review-progress.ts';
import { readServersNote } from '../runs/servers-note.ts';
import { ResultFilter, runPath } from '../runs/result-filter.ts';
import { approvalForms } from './approval.ts';
import { baseNote, readSettingsNote } from './base-note.ts';
import { causeNote } from './cause-note.ts';
import { filterForm } from './filter-form.ts';
import { ignoreForms, mayIgnore } from './ignore-forms.ts';
import type { SidebarInput } from './review-sidebar.ts';
import { countMain, readSidebar, readSidebarPart } from './review-sidebar.ts';
import { mayRerun, resultBody } from './result-body.ts';
import { resultHead } from './result-head.ts';
import type { ReviewAddress } from './review-path.ts';
import { ResultParams, commentsPath, ignorePath, reviewPath } from './review-path.ts';
import { choiceShape } from './view-mode.ts';
import { typedNumber } from '../../text/typed-number.ts';

const Place = typedNumber(0, 10_000_000).nullable().catch(null).default(null);

const Query = z.object({
  ...ResultFilter.shape,
  ...choiceShape,
  list: Place,
  until: Place,
  /** `open`: with the forms to ignore something. */
  ignore: z.string().optional().catch(undefined),
  /** `open`: with the comments. */
  comments: z.string().optional().catch(undefined),
  /** `wait`: an open page polls until the result was judged again. */
  judging: z.string().optional().catch(undefined),
});

type ReviewRequest = {
  address: ReviewAddress;
  resultId: string;
  list: number | null;
  until: number | null;
  ignores: boolean;
  comments: boolean;
  waits: boolean;
};

function parseRequest(params: z.output<typeof ResultParams>, query: z.output<typeof Query>): ReviewRequest {
  const { mode, show, view, fold, list, until, ignore, comments, judging, ...filter } = query;
  return {
    address: { runId: params.id, filter, choice: { mode, show, view, fold } },
    resultId: params.resultId,
    list,
    until,
    ignores: ignore !== undefined,
    comments: comments !== undefined,
    waits: judging !== undefined,
  };
}

async function readAll(ctx: Context, run: RunFor, { address, resultId }: ReviewRequest) {
  const [overview, review, judging] = await Promise.all([
    readRunOverview(ctx, run),
    readReviewResult(ctx, run, resultId, address.filter),
    isBeingJudged(ctx, run),
  ]);
  const mainTotal = countMain(address.filter, review);
  const list: SidebarInput = { address, overview, currentId: resultId, total: review.total, mainTotal };
  return { overview, review, list, judging };
}

async function mainModel(ctx: Context, asked: ReviewRequest, { overview, review, list, judging }: Read) {
  const { address, resultId } = asked;
  const { run } = overview;
  const here = reviewPath(address, resultId);
  const [body, cause, undoable, requests, logged, commented, progress, servers, settings] = await Promise.all([
    resultBody(ctx, overview, review, { address, judging }),
    causeNote(ctx, run, review.result),
    listUndoable(ctx, run, review.result.approved ? [resultId] : []),
    listChangeRequests(ctx, run, { limit: MAX_REQUESTS, resultId }),
    listWarnings(ctx, review.result),
    countCommentsOn(ctx, run, resultId),
    readReviewProgress(ctx, overview),
    readServersNote(ctx, run, review.result, here),
    readSettingsNote(ctx, run),
  ]);
  const next = review.nextUnapproved === null ? runPath(address.runId) : reviewPath(address, review.nextUnapproved);
  // A box is drawn in px of the screenshots as they are.
  const draw = body.isRearranged ? ignorePath(plainAddress(address), resultId) : null;
  const ignorable = !judging && mayIgnore(run, review.result);
  return {
    id: resultId,
    head: resultHead(overview, review, address, list.mainTotal),
    approval: approvalForms(overview, review, { next, here, canUndo: undoable.has(resultId), requests }),
    requests,
    news: firstNews(run, resultId, commented.last),
    progress,
    commentCount: commented.count,
    commentsHref: asked.comments ? here : commentsPath(address, resultId),
    comments: asked.comments ? await commentsModel(ctx, run, asked, body.isRearranged) : null,
    warnings: listReviewWarnings(review.result, body.comparison?.sizes ?? null, logged),
    here,
    judging,
    settings,
    base: baseNote(ctx.config, review.result),
    cause: review.result.leftOut ? null : cause,
    servers,
    ignoreHref: ignorable ? ignorePath(address, resultId) : null,
    ignore: ignorable && asked.ignores ? await ignoreForms(ctx, run, review.result, { back: here, draw }) : null,
    ...body,
  };
}

/** With the screenshots as they are, neither lined up nor folded. */
function plainAddress(address: ReviewAddress): ReviewAddress {
  return { ...address, choice: { ...address.choice, view: 'plain', fold: null } };
}

/** The comments on the open result. A box is drawn in px of the screenshots as they are. */
async function commentsModel(ctx: Context, run: RunFor, { address, resultId }: ReviewRequest, isRearranged: boolean) {
  const list = await readCommentList(ctx, run, { back: commentsPath(address, resultId), result: resultId });
  return { ...list, draw: isRearranged ? commentsPath(plainAddress(address), resultId) : null };
}

/** More are not named above the screenshots. */
const MAX_REQUESTS = 10;

type Read = Awaited<ReturnType<typeof readAll>>;

/** The form that re-runs all errors of the run. Null if there are none, or if the viewer is not allowed to. */
function rerunForm(overview: RunOverview) {
  const { run, counts } = overview;
  if (counts.error === 0 || !mayRerun(overview)) return null;
  return { action: `/runs/${run.id}/rerun`, back: `/runs/${run.id}`, errors: counts.error };
}

const formatTitle = ({ overview: { suite }, review: { result } }: Read) =>
  `${result.path} at ${result.viewport} · ${suite.name}`;

/**
 * One result with its screenshots and the list of results next to it. htmx gets only the result, or only a part of the
 * list.
 */
export const getResult = pageRoute(
  { path: '/runs/:id/results/:resultId', params: ResultParams, query: Query },
  async (ctx, { viewer, params, query, htmx }): Promise<Reply> => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.read');
    const asked = parseRequest(params, query);
    const read = await readAll(ctx, run, asked);
    if (htmx && asked.list !== null) {
      const rows = await readSidebarPart(ctx, read.list, { start: asked.list, until: asked.until });
      return { kind: 'fragment', view: 'review/sidebar-part', model: rows };
    }
    // Where it now stands in the list may be elsewhere, so that the whole page is loaded again.
    if (htmx && asked.waits && !read.judging) return redirect(reviewPath(asked.address, asked.resultId));
    const main = await mainModel(ctx, asked, read);
    const title = formatTitle(read);
    if (htmx) return { kind: 'fragment', view: 'review/part', model: { ...main, title } };
    const at = { at: asked.list ?? (read.review.place ?? 1) - 1, exact: asked.list !== null };
    const list = await readSidebar(ctx, read.list, at);
    const filter = filterForm(asked.address, asked.resultId, read.overview);
    return {
      kind: 'page',
      view: 'review/result',
      title,
      model: { ...main, list, filter, rerun: rerunForm(read.overview) },
      width: 'full',
      section: 'runs',
    };
  },
);
