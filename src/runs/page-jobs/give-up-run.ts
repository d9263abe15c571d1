import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { endRun } from '../end-run.ts';
import { lockRun } from '../run-store.ts';

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
