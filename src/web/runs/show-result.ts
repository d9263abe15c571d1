import { z } from 'zod';
import { Id, inRun } from '../../http/acts-on.ts';
import type { ReviewResult } from '../../review/list/read-review-result.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import { findSection } from '../../runs/results/review-section.ts';
import { runNumber } from '../../runs/run-name.ts';
import { typedNumber } from '../../text/typed-number.ts';
import { APPROVED_BADGE, decisionBadge, SECTION_BADGES } from '../badge.ts';
import { choiceShape } from '../comparison/view-mode.ts';
import { isAnySet, pageRoute, redirect, type Reply } from '../web-route.ts';
import { readListPart, readResultReview, type ResultReview } from './read-review.ts';
import { mayRerun } from './result-body.ts';
import { PANELS, ResultFilter, reviewPath, runPath, type ReviewAddress } from './results/address.ts';
import { CHANGE_BADGES, changeTitle, stopBadge } from './results/change-list.ts';
import type { ChangeWalk } from './results/change-walk.ts';
import { verdictBar } from './verdict-bar.ts';

/** The row above the screenshots: the position, what changed in words, and the state. */
function resultHead(
  { run }: RunOverview,
  { result }: Pick<ReviewResult, 'result'>,
  { filter }: ReviewAddress,
  walk: ChangeWalk | null,
  position: string,
) {
  const { suite } = run;
  const { pageId, path, viewport } = result;
  const decided = decisionBadge(result);
  const stop = walk?.stop;
  const state = stop === undefined ? (decided ?? SECTION_BADGES[findSection(result)]) : stopBadge(stop);
  const badges = [...(stop === undefined ? [] : [CHANGE_BADGES[stop.kind]]), ...(state === null ? [] : [state])];
  const isPart = stop !== undefined && state !== APPROVED_BADGE && decided !== null && decided !== state;
  const label = badges.map((badge) => badge.label).join(', ');
  return {
    suite: { name: suite.name, href: `/suites/${suite.id}` },
    run: {
      label: runNumber(run),
      href: stop === undefined && filter.rest !== true ? runPath(run.id, { ...filter }) : `/runs/${run.id}`,
    },
    byPage: `/runs/${run.id}?view=pages`,
    change: stop === undefined ? null : { element: stop.element || null, summary: changeTitle(stop) },
    path,
    viewport,
    badges: isPart ? [...badges, decided] : badges,
    diff: result.status === 'FAIL' ? result.diffScore : null,
    history: pageId === null ? null : `/suites/${suite.id}/pages/${pageId}`,
    url: result.url,
    news: `${stop === undefined ? '' : `${changeTitle(stop)} ${stop.element}, `}${path} at ${viewport}: ${label}, ${position}`,
  };
}

const Place = typedNumber(0, 10_000_000).nullable().catch(null).default(null);

const Query = z.object({
  ...ResultFilter.shape,
  ...choiceShape,
  /** The key of the open change. Null: the walk is over results. */
  change: z.string().max(64).nullable().catch(null).default(null),
  list: Place,
  until: Place,
  panel: z.enum(PANELS).nullable().catch(null).default(null),
  /** `wait`: an open page polls until the result was judged again. */
  judging: z.string().optional().catch(undefined),
});

/** The form that re-runs all errors of the run. Null if there are none, or if the viewer is not allowed to. */
function rerunForm(overview: RunOverview) {
  const { run, counts } = overview;
  if (counts.error === 0 || !mayRerun(overview.run)) return null;
  return { action: `/runs/${run.id}/rerun`, back: `/runs/${run.id}`, errors: counts.error };
}

/** All but the list beside it. */
function resultMain(shown: ResultReview) {
  const { run, overview, review, walk, address, resultId, steps } = shown;
  const { position, ways, nextUndecided, strip } = steps;
  const { here, requests, canUndo, ignorable, commented } = shown;
  const to = ({ panel }: Pick<ReviewAddress, 'panel'>) =>
    reviewPath({ ...address, panel: address.panel === panel ? null : panel }, resultId);
  const change = walk === null ? '' : `${changeTitle(walk.stop)} ${walk.stop.element} · `;
  return {
    ...shown,
    ...shown.body,
    id: resultId,
    stop: walk?.stop.key ?? resultId,
    title: `${change}${review.result.path} at ${review.result.viewport} · ${run.suite.name}`,
    head: resultHead(overview, review, address, walk, position),
    position,
    ways,
    strip: strip.groups.length === 0 ? null : strip,
    bar: verdictBar(overview, review, walk, { next: nextUndecided, here, canUndo, requests }),
    tools: {
      notes: { href: to({ panel: 'notes' }), current: address.panel === 'notes' },
      comments: { href: to({ panel: 'comments' }), count: commented.count, current: address.panel === 'comments' },
      ignore: ignorable ? { href: to({ panel: 'ignore' }), current: address.panel === 'ignore' } : null,
    },
  };
}

/**
 * One result with its screenshots, and beside it the list of changes or results that it is a part of. htmx gets only the
 * result, or only a part of the list.
 */
export const getResult = pageRoute(
  { path: '/runs/:id/results/:resultId', ...inRun('suite.read', { resultId: Id }), query: Query },
  async (ctx, { run, params: { id: runId, resultId }, query, htmx }): Promise<Reply> => {
    const { change, mode, show, view, fold, list, until, panel, judging: waits, ...filter } = query;
    const address = { runId, change, filter: change === null ? filter : {}, choice: { mode, show, view, fold }, panel };
    const asked = { address, resultId, alone: htmx };
    if (htmx && list !== null) {
      const model = await readListPart(ctx, run, { ...asked, list }, until);
      return { kind: 'fragment', view: 'runs/sidebar-part', model };
    }
    const review = await readResultReview(ctx, run, { ...asked, list });
    if (change !== null && review.walk === null) return redirect(reviewPath({ ...address, change: null }, resultId));
    // Its position in the list may have changed, so the whole page is loaded again.
    if (htmx && waits !== undefined && !review.judging) return redirect(reviewPath(address, resultId));
    const main = resultMain(review);
    if (htmx) return { kind: 'fragment', view: 'runs/result-part', model: main };
    const beside = {
      stops: review.walk,
      list: review.sidebar,
      filtered: isAnySet(filter) && !filter.rest ? `/runs/${runId}?view=pages` : null,
      rerun: review.walk === null ? rerunForm(review.overview) : null,
    };
    return {
      kind: 'page',
      view: 'runs/result',
      title: main.title,
      model: { ...main, ...beside },
      width: 'full',
      section: 'runs',
    };
  },
);
