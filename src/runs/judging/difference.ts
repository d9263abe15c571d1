import type { Comparison } from '../../compare/compare-images.ts';
import type { WorkerContext } from '../../context.ts';
import type { Cause } from '../results/result.ts';
import type { Run } from '../run.ts';
import type { ComparedResult, ControlFindings } from './compare-control.ts';
import type { HeardFinding } from './heard.ts';

/** A result that fails. */
export type Difference = {
  run: Run;
  result: ComparedResult;
  comparison: Comparison;
  baselineEngine: string | null;
  /** Null without a control screenshot. */
  control: ControlFindings | null;
  /** What assistive technology hears differently. */
  heard: HeardFinding;
};

/** Why a result differs, and what that refers to. */
export type Explanation = {
  cause: Cause;
  ignoredChangeId?: string;
  /** The pull request that the difference is from, or whose merge the branch lacks. */
  pullRequest?: number | null;
  /** The version of the baseline that the screenshot looks like. */
  version?: number;
};

export type ExplainContext = Pick<
  WorkerContext,
  'db' | 'storage' | 'log' | 'measure' | 'codeHost' | 'clock' | 'compareImages'
>;

/** Null if the difference has another reason. */
export type Reason = (ctx: ExplainContext, difference: Difference) => Promise<Explanation | null>;
