import { behind } from './behind.ts';
import { isOfAnotherEngine } from './compare-by-rules.ts';
import type { Difference, ExplainContext, Explanation, Reason } from './difference.ts';
import { heardKey } from './heard.ts';
import { findMatchingIgnoredChange } from './ignored-change-store.ts';
import { fingerprintOf } from './ignored-change.ts';
import { showsSameChange } from './stack-store.ts';

/**
 * The branch is based on that of another pull request, whose newest run shows the same: it is decided there
 * (docs/rules.md, Verdicts). Only the same bytes count, because one decision stands for both.
 */
const fromPullRequest: Reason = async (ctx, { run, result, heard }) => {
  const number = run.git?.basePullRequest;
  if (number === undefined || !(await showsSameChange(ctx.db, run, number, { ...result, heardKey: heardKey(heard) })))
    return null;
  return { cause: 'FROM_PULL_REQUEST', pullRequest: number };
};

const asIgnored: Reason = async (ctx, { run, result, comparison, heard }) => {
  const change = { ...result, heardKey: heardKey(heard) };
  const fingerprint = fingerprintOf({ ...change, diffRegions: comparison.regions });
  const ignoredChangeId = await findMatchingIgnoredChange(ctx.db, run.testSuiteId, { ...change, fingerprint });
  return ignoredChangeId === null ? null : { cause: 'IGNORED', ignoredChangeId };
};

const fromAnotherEngine: Reason = async (_ctx, { result, comparison, baselineEngine }) =>
  isOfAnotherEngine(result, comparison, baselineEngine) ? { cause: 'ENGINE' } : null;

const asDrift: Reason = async (_ctx, { control }) => (control?.isDrift === true ? { cause: 'DRIFT' } : null);

/** The first one that applies is the cause. Later ones are only checked if earlier ones don't apply. */
const REASONS: readonly Reason[] = [asIgnored, fromAnotherEngine, fromPullRequest, behind, asDrift];

/**
 * Why a failing result differs (docs/rules.md, Verdicts). Without another reason, or if a person said so, it is a
 * change.
 */
export async function explainDifference(ctx: ExplainContext, difference: Difference): Promise<Explanation> {
  if (difference.result.countedAsChange) return { cause: 'CHANGE' };
  for (const reason of REASONS) {
    const explanation = await reason(ctx, difference);
    if (explanation !== null) return explanation;
  }
  return { cause: 'CHANGE' };
}
