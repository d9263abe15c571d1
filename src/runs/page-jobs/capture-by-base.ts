import type { Baseline } from '../../baselines/baseline.ts';
import { CaptureError } from '../../capture/browser/browser.ts';
import type { WorkerContext } from '../../context.ts';
import { appendLogs } from '../log/log-store.ts';
import { warningLine } from '../log/run-log.ts';
import { changePendingResult, type ResultChange } from '../results/result-store.ts';
import type { PageResult } from '../results/result.ts';
import { captureTarget } from './capture-target.ts';
import type { CapturedRun } from './captured-run.ts';
import { storeCapture } from './store-capture.ts';

async function tryCapture(
  ctx: WorkerContext,
  of: Omit<CapturedRun, 'base'>,
  result: PageResult,
  baseline: Baseline | null,
): Promise<ResultChange> {
  try {
    const capture = await captureTarget(ctx, of, result, baseline);
    const { file, elementsFile } = await storeCapture(ctx, of.suite.id, capture);
    return { baseState: 'TAKEN', baseFile: file, baseElementsFile: elementsFile };
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error;
    const message = `could not be captured with the settings of the base: ${error.message}`;
    const warning = { code: 'base_failed', message };
    await appendLogs(ctx.db, of.run.id, [warningLine(result, warning)]);
    const warnings = [...result.warnings, warning];
    return { baseState: 'FAILED', baseFile: null, baseElementsFile: null, warnings };
  }
}

/**
 * Captures a page of the preview with the settings of the base, if its pull request changes how it is captured, so that
 * a reviewer sees what that hides. @returns the updated result.
 */
export async function captureByBase(
  ctx: WorkerContext,
  { base, ...of }: CapturedRun,
  { result, baseline }: { result: PageResult; baseline: Baseline | null },
): Promise<PageResult> {
  if (result.baseState !== 'DUE' || base === null) return result;
  const change = await tryCapture(ctx, { ...of, run: { ...of.run, config: base } }, result, baseline);
  await changePendingResult(ctx.db, result.id, change);
  return { ...result, ...change };
}
