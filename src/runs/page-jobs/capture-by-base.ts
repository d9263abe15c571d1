import type { Baseline } from '../../baselines/baseline.ts';
import { CaptureError } from '../../capture/browser/browser.ts';
import type { WorkerContext } from '../../context.ts';
import type { SuiteConfig } from '../../suites/suite-config.ts';
import { appendLogs } from '../log/log-store.ts';
import type { ResultChange } from '../results/result-store.ts';
import { changePendingResult } from '../results/result-store.ts';
import type { PageResult } from '../results/result.ts';
import type { Run } from '../run.ts';
import { captureTarget } from './capture-target.ts';
import type { Pace } from './pace.ts';
import { storeCapture } from './store-capture.ts';

async function tryCapture(
  ctx: WorkerContext,
  run: Run,
  result: PageResult,
  baseline: Baseline | null,
  pace: Pace,
): Promise<Pick<PageResult, 'baseState' | 'baseFile' | 'baseElementsFile'>> {
  try {
    const capture = await captureTarget(ctx, run, result, baseline, pace);
    const { file, elementsFile } = await storeCapture(ctx, run.testSuiteId, capture);
    return { baseState: 'TAKEN', baseFile: file, baseElementsFile: elementsFile };
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error;
    const { path, viewport } = result;
    const message = `${path} at ${viewport}: could not be captured with the settings of the base: ${error.message}`;
    await appendLogs(ctx.db, run.id, [{ type: 'WARNING', message, metadata: { path, viewport, code: 'base_failed' } }]);
    return { baseState: 'FAILED', baseFile: null, baseElementsFile: null };
  }
}

/**
 * Captures a page of the preview with the settings of the base, where its pull request has it captured in another way, so
 * that a reviewer sees what that hides. @returns the result as it is then.
 */
export async function captureByBase(
  ctx: WorkerContext,
  run: Run,
  { result, base, baseline }: { result: PageResult; base: SuiteConfig | null; baseline: Baseline | null },
  pace: Pace,
): Promise<PageResult> {
  if (result.baseState !== 'DUE' || base === null) return result;
  const change: ResultChange = await tryCapture(ctx, { ...run, config: base }, result, baseline, pace);
  await changePendingResult(ctx.db, result.id, change);
  return { ...result, ...change };
}
