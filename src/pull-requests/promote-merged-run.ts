import { lockPromotions } from '../baselines/baseline-store.ts';
import { inMeasuredTransaction, type MeasureContext } from '../baselines/measure-promotions.ts';
import { promote } from '../baselines/promote-results.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/database.ts';
import { WEBHOOK } from '../events/event.ts';
import { hasRequestToRun } from '../review/verdicts/change-request-store.ts';
import { buildPromotion } from '../runs/results/promotion.ts';
import { findResults } from '../runs/results/result-store.ts';
import type { PageResult } from '../runs/results/result.ts';
import { lockRun, lockSuiteRuns } from '../runs/run-store.ts';
import type { PullRequestKey } from '../runs/run.ts';
import { draftSiteRun, openRunIfAny } from '../runs/start-run.ts';
import { findSuite } from '../suites/suite-store.ts';
import type { Suite } from '../suites/suite.ts';
import { findEarlierAttempts } from './check/check-store.ts';
import { findNewestAttempts, hasRunAfterMerge } from './pull-request-run-store.ts';
import { findOvertaken, findPullRequest } from './pull-request-store.ts';
import type { PullRequest } from './pull-request.ts';

/** Somebody approved it, and nobody requests changes to it. */
const isAgreed = ({ approved, changesRequested }: PageResult) => approved && !changesRequested;

/** The screenshot has become the baseline in another way since its approval. */
const isUnchanged = ({ status, isNew }: PageResult) => status === 'PASS' && !isNew;

/**
 * Adds a baseline version for each approved result of a merged pull request's run, by path, with the approver stored in
 * the result (docs/rules.md, Baselines). A run that gates nothing promotes nothing: its pull request went into another
 * branch. Nor does one to which somebody requests changes, until they withdraw that. Results promoted before are skipped,
 * so it can be called again after every approval. So are those of which something newer than merge and approval is the
 * baseline by now, which nobody compared them with.
 * @returns how many versions were added.
 */
export async function promoteMergedRun(
  ctx: MeasureContext,
  runId: string,
  prNumber: number,
  mergeCommitSha: string | null = null,
): Promise<number> {
  return inMeasuredTransaction(ctx, async (trx, measurements) => {
    const run = await lockRun(trx, runId);
    const suite = run && (await findSuite(trx, run.testSuiteId));
    if (run === null || suite === null || run.status === 'CANCELLED' || !run.isGated) return 0;
    if (await hasRequestToRun(trx, runId)) return 0;
    await lockPromotions(trx, suite.id);
    const overtaken = await findOvertaken(trx, runId);
    const approved = (await findResults(trx, runId)).filter(
      (result) => isAgreed(result) && !isUnchanged(result) && !overtaken.has(result.id),
    );
    const promotions = approved.flatMap((result) =>
      buildPromotion(result, {
        source: 'PR_MERGE',
        approverId: result.approvedById,
        note: null,
        prNumber,
        mergeCommitSha,
      }),
    );
    return (await promote(trx, suite, promotions, WEBHOOK, measurements)).length;
  });
}

/**
 * Does the same for each suite's last run at the pull request's head. If the head's deployment was skipped, the commit
 * that was captured last is what was merged.
 */
export async function promoteMergedPullRequest(
  ctx: MeasureContext,
  { owner, repo, number, headSha, mergeCommitSha }: PullRequest,
): Promise<void> {
  for (const run of await findNewestAttempts(ctx.db, { owner, repo, number, headSha })) {
    const isSkipped = run.reason === 'preview_skipped';
    const merged = isSkipped ? (await findEarlierAttempts(ctx.db, run)).find(({ enqueued }) => enqueued) : run;
    if (merged === undefined) continue;
    const versions = await promoteMergedRun(ctx, merged.id, number, mergeCommitSha);
    if (versions > 0)
      ctx.log.info({ runId: merged.id, owner, repo, number, versions }, 'promoted a merged pull request');
  }
}

/**
 * Starts a MANUAL run of the suite's own site, once per merge. No user is stored as its starter.
 * @returns null when the merge already had its run, or there is nothing to capture.
 */
export async function startRunAfterMerge(
  ctx: Pick<Context, 'db'>,
  suite: Suite,
  merge: PullRequestKey & { sha: string },
): Promise<string | null> {
  return inTransaction(ctx.db, async (trx) => {
    await lockSuiteRuns(trx, suite.id);
    if (await hasRunAfterMerge(trx, suite.id, merge)) return null;
    const gitTitle = (await findPullRequest(trx, merge))?.title ?? null;
    const of = { gitPrNumber: merge.number, gitHeadSha: merge.sha, gitTitle };
    const run = await openRunIfAny(trx, draftSiteRun(suite, { trigger: 'MERGE', ...of }));
    return run?.id ?? null;
  });
}
