import { setHeard } from '../../baselines/confirm-making.ts';
import type { WorkerContext } from '../../context.ts';
import { countUse } from '../judging/ignored-change-store.ts';
import { judgeResult } from '../judging/judge-result.ts';
import type { RunLogLine } from '../log/run-log.ts';
import { findPendingResults } from '../results/result-store.ts';
import type { PageResult } from '../results/result.ts';
import { findRun } from '../run-store.ts';
import type { Run } from '../run.ts';
import { askForControl } from './ask-for-control.ts';
import { settleResult } from './settle-result.ts';

/**
 * What assistive technology hears otherwise without a need for review is told once: later runs compare with what a run of
 * the suite's own site has heard.
 */
async function followHeard(ctx: WorkerContext, run: Run, result: PageResult): Promise<void> {
  const { baselineVersionId, heardFile, status } = result;
  const follows = run.runType === 'MANUAL' && status === 'PASS' && !run.config.accessibilityGate;
  if (follows && baselineVersionId !== null && heardFile !== null) await setHeard(ctx.db, baselineVersionId, heardFile);
}

/** @param lines lines for the run's log that come before */
export async function compareResult(
  ctx: WorkerContext,
  run: Run,
  result: PageResult,
  lines: RunLogLine[] = [],
): Promise<void> {
  const { baselineFile, currentFile } = result;
  if (baselineFile === null || currentFile === null) return;
  const judgement = await judgeResult(ctx, run, { ...result, baselineFile, currentFile });
  if (judgement.status === 'ERROR') {
    await settleResult(ctx, result, { ...judgement, lines });
    return;
  }
  if (await askForControl(ctx, run, { result, judgement, lines })) return;
  const { ignoredChangeId, ...settlement } = judgement;
  const settled = await settleResult(ctx, result, { ...settlement, lines });
  if (settled) await followHeard(ctx, run, { ...result, ...settlement });
  if (settled && ignoredChangeId !== null) await countUse(ctx.db, ignoredChangeId);
}

/**
 * Decides about each screenshot of a page that differs from its baseline and was not compared when it was taken. If it
 * needs the suite's own site, it decides again after that was captured.
 */
export async function comparePage(ctx: WorkerContext, payload: { runId: string; path: string }): Promise<void> {
  const run = await findRun(ctx.db, payload.runId);
  if (run?.status !== 'RUNNING') return;
  const pending = await findPendingResults(ctx.db, run.id, payload.path);
  for (const result of pending.filter(({ controlState }) => controlState !== 'DUE'))
    await compareResult(ctx, run, result);
}
