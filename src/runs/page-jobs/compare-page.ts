import { keepMaking } from '../../baselines/version-store.ts';
import type { Context, WorkerContext } from '../../context.ts';
import { findSuite } from '../../suites/suite-store.ts';
import { countUse } from '../judging/ignored-change-store.ts';
import { judgeResult, type Judgement } from '../judging/judge-result.ts';
import type { RunLogLine } from '../log/run-log.ts';
import { findPendingResults } from '../results/result-store.ts';
import type { PageResult } from '../results/result.ts';
import { findRun } from '../run-store.ts';
import { runTarget } from '../run-target.ts';
import type { Run } from '../run.ts';
import { settleResult } from './settle-result.ts';
import { handOver } from './slots.ts';

/** Whether the run captures another site than the suite's own. */
async function isOfPreview({ db }: Pick<Context, 'db'>, run: Run): Promise<boolean> {
  const suite = await findSuite(db, run.testSuiteId);
  return suite !== null && !runTarget(suite, run).isOwnSite;
}

/**
 * Has the page captured on the suite's own site as well, if its preview differs and only the site can show why.
 * @returns true when the result is left PENDING until then.
 */
async function askForControl(
  ctx: Pick<Context, 'db'>,
  run: Run,
  { result, judgement, lines }: { result: PageResult; judgement: Judgement; lines: RunLogLine[] },
): Promise<boolean> {
  const isChange = judgement.status === 'FAIL' && judgement.cause === 'CHANGE';
  if (!isChange || !run.config.control || result.controlState !== null || !(await isOfPreview(ctx, run))) return false;
  return handOver(ctx, result, 'capture', { controlState: 'DUE' }, lines);
}

/**
 * A difference that only assistive technology hears and that needs no review is reported once: later runs are compared
 * with what this run of the suite's own site has heard.
 */
async function followHeard(ctx: WorkerContext, run: Run, result: PageResult): Promise<void> {
  const { baselineVersionId, heardFile, status } = result;
  const follows = run.runType === 'MANUAL' && status === 'PASS' && !run.config.accessibilityGate;
  if (follows && baselineVersionId !== null && heardFile !== null)
    await keepMaking(ctx.db, baselineVersionId, { heardFile });
}

/** @param lines lines for the run's log that come first */
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
