import { z } from 'zod';
import { notFound } from '../../errors.ts';
import { findChange, findFirstDecision, type FirstDecision } from '../../review/changes/find-first-decision.ts';
import { getRunFor } from '../../runs/read-run.ts';
import { settingsReview } from '../../runs/settings-change/settings-change.ts';
import { withQuery } from '../pager.ts';
import { redirect } from '../reply.ts';
import { pageRoute } from '../web-route.ts';
import { resultPath, RunParams } from './results/address.ts';

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
  { path: '/runs/:id/review', params: RunParams, query: Query },
  async (ctx, { viewer, params: { id }, query }) => {
    const run = await getRunFor(ctx, viewer, id, 'suite.read');
    if (settingsReview(run) === 'PENDING' && query.results === undefined) return redirect(`/runs/${id}#settings`);
    const first = await findFirstDecision(ctx, run);
    return redirect(first === null ? `/runs/${id}` : decisionPath(id, first));
  },
);

/** Opens the review at a change, at an undecided place if there is one. A check links here. */
export const getChange = pageRoute(
  { path: '/runs/:id/changes/:changeId', params: RunParams.extend({ changeId: z.string().max(64) }) },
  async (ctx, { viewer, params: { id, changeId } }) => {
    const run = await getRunFor(ctx, viewer, id, 'suite.read');
    const found = await findChange(ctx, run, changeId);
    if (found === null) throw notFound('Change');
    return redirect(decisionPath(id, found));
  },
);
