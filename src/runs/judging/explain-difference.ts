import type { Comparison } from '../../compare/compare-images.ts';
import type { WorkerContext } from '../../context.ts';
import type { Cause, PageResult } from '../results/result.ts';
import type { Run } from '../run.ts';
import type { ControlFindings } from './compare-control.ts';
import { fingerprintOf } from './ignored-change.ts';
import { findMatchingIgnoredChange } from './ignored-change-store.ts';
import { isOfAnotherEngine } from './other-engine.ts';

/** A result with both of its screenshots. */
export type ComparedResult = PageResult & { baselineFile: string; currentFile: string };

/** A result that fails. */
export type Difference = {
  run: Run;
  result: ComparedResult;
  comparison: Comparison;
  baselineEngine: string | null;
  control: ControlFindings | null;
};

/** Why a result differs, with what it refers to. */
export type Explanation = { cause: Cause; ignoredChangeId?: string };

type ExplainContext = Pick<WorkerContext, 'db' | 'storage' | 'log' | 'measure'>;

/** Null when the difference has another reason. */
type Reason = (ctx: ExplainContext, difference: Difference) => Promise<Explanation | null>;

const asIgnored: Reason = async (ctx, { run, result, comparison }) => {
  const fingerprint = fingerprintOf({ ...result, diffRegions: comparison.regions });
  const ignoredChangeId = await findMatchingIgnoredChange(ctx.db, run.testSuiteId, { ...result, fingerprint });
  return ignoredChangeId === null ? null : { cause: 'IGNORED', ignoredChangeId };
};

const fromAnotherEngine: Reason = async (_ctx, { result, comparison, baselineEngine }) =>
  isOfAnotherEngine(result, comparison, baselineEngine) ? { cause: 'ENGINE' } : null;

const asDrift: Reason = async (_ctx, { control }) => (control?.isDrift === true ? { cause: 'DRIFT' } : null);

/** The first that holds is the cause. Each is asked only when those before it do not hold. */
const REASONS: readonly Reason[] = [asIgnored, fromAnotherEngine, asDrift];

/** Why a failing result differs. Without another reason, and when a person said so, it is a change. */
export async function explainDifference(ctx: ExplainContext, difference: Difference): Promise<Explanation> {
  if (difference.result.countedAsChange) return { cause: 'CHANGE' };
  for (const reason of REASONS) {
    const explanation = await reason(ctx, difference);
    if (explanation !== null) return explanation;
  }
  return { cause: 'CHANGE' };
}
