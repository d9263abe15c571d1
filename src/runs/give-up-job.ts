import type { Context } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { appendLogs } from './log-store.ts';
import { findPendingResults } from './result-store.ts';
import { lockRun, moveRun } from './run-store.ts';
import { settleResult } from './settle-result.ts';
import { tellCheck } from './tell-check.ts';

/** A page whose job failed at every attempt: what it had not settled becomes an ERROR, so that the run can end. */
export async function giveUpPage(
  ctx: Pick<Context, 'db'>,
  payload: { runId: string; path: string },
  what: string,
): Promise<void> {
  for (const result of await findPendingResults(ctx.db, payload.runId, payload.path)) {
    await settleResult(ctx, result, { status: 'ERROR', error: what });
  }
}

/** A run that could not be finished at any attempt. */
export async function giveUpRun(ctx: Pick<Context, 'db' | 'clock'>, runId: string, what: string): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const run = await lockRun(trx, runId);
    if (run === null) return;
    const metadata = { error: what };
    if (!(await moveRun(trx, runId, ['RUNNING'], 'FAILED', { endedAt: ctx.clock.now(), metadata }))) return;
    await appendLogs(trx, runId, [{ type: 'ERROR', message: `Run failed: ${what}`, progress: 100 }]);
    await tellCheck(trx, run, 'now');
  });
}
