import type { Comparison } from '../../compare/compare-images.ts';
import type { WorkerContext } from '../../context.ts';
import type { Cause, PageResult } from '../results/result.ts';
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
export type Explanation = Partial<Pick<PageResult, 'causePullRequest' | 'causeVersion'>> & {
  cause: Cause;
  ignoredChangeId?: string;
};

export type ExplainContext = Pick<
  WorkerContext,
  'db' | 'storage' | 'log' | 'measure' | 'codeHost' | 'clock' | 'compareImages'
>;

/** Null if the difference has another reason. */
export type Reason = (ctx: ExplainContext, difference: Difference) => Promise<Explanation | null>;
