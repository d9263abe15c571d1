import { z } from 'zod';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { inRun, onRun } from '../../http/acts-on.ts';
import { walkChanges } from '../../review/changes/list-changes.ts';
import { readRest } from '../../review/list/list-for-review.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { settingsReview } from '../../runs/settings-change/settings-change.ts';
import { pageRoute, redirect, withQuery } from '../web-route.ts';
import { resultPath } from './results/address.ts';

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
const Query = z.object({ results: z.literal('only').optional().catch(undefined) });

/**
 * Redirects to what awaits a decision: to the settings, then to the first change or result, or to the run if there is none.
 * So a list of runs can link here without looking that up.
 */
export const getReview = pageRoute(
  { path: '/runs/:id/review', ...onRun('suite.read'), query: Query },
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
