import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { endRun } from '../end-run.ts';
import { findPendingResults } from '../results/result-store.ts';
import { lockRun } from '../run-store.ts';
import { settleResult } from './settle-result.ts';

/** Called when a page's job failed at every attempt. Its unsettled results become ERROR, so that the run can end. */
export async function giveUpPage(
  ctx: Pick<Context, 'db' | 'clock'>,
  payload: { runId: string; path: string },
  what: string,
): Promise<void> {
  for (const result of await findPendingResults(ctx.db, payload.runId, payload.path)) {
    await settleResult(ctx, result, { status: 'ERROR', error: what });
  }
}

/** Called when the job that finishes a run failed at every attempt. */
export async function giveUpRun(ctx: Pick<Context, 'db' | 'clock'>, runId: string, what: string): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const run = await lockRun(trx, runId);
    if (run === null) return;
    await endRun(trx, ctx, run, {
      from: ['RUNNING'],
      to: 'FAILED',
      metadata: { error: what },
      line: { type: 'ERROR', message: `Run failed: ${what}`, progress: 100 },
    });
  });
}
