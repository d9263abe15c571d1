import { z } from 'zod';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { Id, inRun, onRun } from '../../http/acts-on.ts';
import { walkChanges } from '../../review/changes/list-changes.ts';
import { readRest, type ReviewResult } from '../../review/list/list-for-review.ts';
import type { RunOverview } from '../../review/overview/read-run-overview.ts';
import { mayRerun, type RunFor } from '../../runs/read-run.ts';
import { findSection } from '../../runs/results/result.ts';
import { runNumber } from '../../runs/run-name.ts';
import { settingsReview } from '../../runs/settings-change/settings-change.ts';
import { namePlace } from '../../text/readable-path.ts';
import { typedNumber } from '../../text/typed-number.ts';
import { APPROVED_BADGE, decisionBadge, SECTION_BADGES } from '../badge.ts';
import { choiceShape } from '../comparison/view-mode.ts';
import { isAnySet, pageRoute, redirect, withQuery, type Reply } from '../web-route.ts';
import { readListPart, readResultReview, type ResultReview } from './read-review.ts';
import { PANELS, ResultFilter, resultPath, reviewPath, runPath, type ReviewAddress } from './results/address.ts';
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
    news: `${stop === undefined ? '' : `${changeTitle(stop)} ${stop.element}, `}${namePlace(result)}: ${label}, ${position}`,
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
    title: `${change}${namePlace(review.result)} · ${run.suite.name}`,
    head: resultHead(overview, review, address, walk, position),
    position,
    ways,
    strip: strip.groups.length === 0 ? null : strip,
    bar: verdictBar(overview, review, walk, {
      next: nextUndecided,
      here,
      isShown: shown.body.isShown,
      canUndo,
      requests,
    }),
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

/** Where a review begins. `change`: the key of a change. */
type FirstDecision = { change: string | null; resultId: string };

/** The first undecided change, or else the first undecided result without a known change. Null if there is none. */
async function findFirstDecision(ctx: Pick<Context, 'db'>, run: RunFor): Promise<FirstDecision | null> {
  const { stops } = await walkChanges(ctx, run, null);
  const open = stops.find(({ undecided }) => undecided > 0);
  if (open !== undefined) return { change: open.key, resultId: open.resultId };
  const { firstUndecided } = await readRest(ctx, run);
  return firstUndecided === null ? null : { change: null, resultId: firstUndecided };
}

/** Where to look at a change first. Null when the run has none with this key. */
async function findChange(ctx: Pick<Context, 'db'>, run: RunFor, key: string): Promise<FirstDecision | null> {
  const stop = (await walkChanges(ctx, run, key)).stops.find((each) => each.key === key);
  return stop === undefined ? null : { change: key, resultId: stop.resultId };
}

const decisionPath = (runId: string, { change, resultId }: FirstDecision) =>
  change === null
    ? resultPath(runId, resultId, { rest: true })
    : withQuery(`/runs/${runId}/results/${resultId}`, { change });

/** `results=only`: people who come from the run have seen what it changes in the settings. */
const ReviewQuery = z.object({ results: z.literal('only').optional().catch(undefined) });

/**
 * Redirects to what awaits a decision: to the settings, then to the first change or result, or to the run if there is none.
 * So a list of runs can link here without looking that up.
 */
export const getReview = pageRoute(
  { path: '/runs/:id/review', ...onRun('suite.read'), query: ReviewQuery },
  async (ctx, { run, query }) => {
    const { id } = run;
    if (settingsReview(run) === 'PENDING' && query.results === undefined) return redirect(`/runs/${id}#settings`);
    const first = await findFirstDecision(ctx, run);
    return redirect(first === null ? `/runs/${id}` : decisionPath(id, first));
  },
);

/** Opens the review at a change, at an undecided place if there is one. A check links here. */
export const getChange = pageRoute(
  { path: '/runs/:id/changes/:changeId', ...inRun('suite.read', { changeId: z.string().max(64) }) },
  async (ctx, { run, params: { id, changeId } }) => {
    const found = await findChange(ctx, run, changeId);
    if (found === null) throw notFound('Change');
    return redirect(decisionPath(id, found));
  },
);
