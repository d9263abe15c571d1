import { sameEngine } from '../../capture/browser/same-engine.ts';
import type { Comparison } from '../../compare/compare-images.ts';
import type { PageResult } from '../results/result.ts';

/** A faint difference from a screenshot that another browser made. Unknown parts of an old engine count as equal. */
export function isOfAnotherEngine(
  { captureEngine }: Pick<PageResult, 'captureEngine'>,
  { faint }: Pick<Comparison, 'faint'>,
  baselineEngine: string | null,
): boolean {
  return faint && captureEngine !== null && baselineEngine !== null && !sameEngine(baselineEngine, captureEngine);
}
