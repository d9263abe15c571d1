import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { endRun } from '../runs/end-run.ts';
import { setPreview } from './pull-request-run-store.ts';
import type { Run } from '../runs/run.ts';
import { findRun } from '../runs/run-store.ts';
import { fillRun } from '../runs/start-run.ts';
import { noteOnCheck } from './run-check.ts';
import { NOTHING_TRACKED } from './start-pull-request-run.ts';

/**
 * The preview is there: the run gets its results and their capture jobs, once, whatever fires twice (contract 7.11).
 * @returns false when it had been opened, or had ended.
 */
export async function openPullRequestRun(
  ctx: Pick<Context, 'db' | 'clock'>,
  runId: string,
  address: string,
): Promise<boolean> {
  return inTransaction(ctx.db, async (trx) => {
    if (!(await setPreview(trx, runId, address, ctx.clock.now()))) return false;
    const run = await findRun(trx, runId);
    if (run === null) return false;
    if (!(await fillRun(trx, run))) await endEmpty(trx, ctx, run);
    // What was said of the time of waiting is over with it.
    await noteOnCheck(trx, run, null);
    return true;
  });
}

async function endEmpty(trx: Db, ctx: Pick<Context, 'clock'>, run: Run): Promise<void> {
  await endRun(trx, ctx, run, {
    from: ['PENDING'],
    to: 'COMPLETED',
    metadata: { reason: 'no_tracked_pages', error: NOTHING_TRACKED },
    line: { type: 'INFO', message: NOTHING_TRACKED, progress: 100 },
  });
}
