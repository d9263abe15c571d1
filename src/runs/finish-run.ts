import type { WorkerContext } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { carryOverApprovals } from './carry-over.ts';
import { appendLogs } from './log-store.ts';
import { outcomeOf, reviewStateOf } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import { findResults } from './result-store.ts';
import type { RunLogLine } from './run-log.ts';
import { lockRun, moveRun } from './run-store.ts';
import { tellCheck } from './tell-check.ts';

function closingLine({ status, metadata }: Outcome): RunLogLine {
  const counts = `${metadata.passedTests} passed, ${metadata.failedTests} changed, ${metadata.errorTests} errors`;
  return {
    type: status === 'FAILED' ? 'ERROR' : 'SUCCESS',
    message: status === 'FAILED' ? `Run failed: ${metadata.error}` : `Run completed: ${counts}`,
    metadata: { ...metadata },
    progress: 100,
  };
}

/** Job: ends a run whose results are all settled, with its counters and its review gate. Delivered twice, ends it once. */
export async function finishRun(
  ctx: Pick<WorkerContext, 'db' | 'clock' | 'log' | 'measure'>,
  { runId }: { runId: string },
): Promise<void> {
  const endedAt = ctx.clock.now();
  const finished = await inTransaction(ctx.db, async (trx) => {
    const run = await lockRun(trx, runId);
    if (run === null || run.status !== 'RUNNING') return null;
    const settled = await findResults(trx, runId);
    if (settled.some((result) => result.status === 'PENDING')) return null;
    const results = (await carryOverApprovals(trx, run)) === 0 ? settled : await findResults(trx, runId);
    const outcome = outcomeOf(results);
    const { status, metadata } = outcome;
    await moveRun(trx, runId, ['RUNNING'], status, { endedAt, metadata, reviewState: reviewStateOf(results) });
    await appendLogs(trx, runId, [closingLine(outcome)]);
    await tellCheck(trx, run, 'now');
    return { run, outcome };
  });
  if (finished === null) return;
  const { run, outcome } = finished;
  ctx.log.info({ runId, ...outcome }, 'run finished');
  ctx.measure('runs', { status: outcome.status }, 1);
  const seconds = (endedAt.getTime() - (run.startedAt ?? run.createdAt).getTime()) / 1000;
  ctx.measure('run_seconds', { status: outcome.status }, seconds);
}
