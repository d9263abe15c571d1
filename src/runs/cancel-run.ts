import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { conflict, notFound } from '../errors.ts';
import { appendLogs } from './log-store.ts';
import { readRun } from './read-run.ts';
import type { RunDetail } from './read-run.ts';
import { cancelPendingResults } from './result-store.ts';
import { IN_FLIGHT } from './run.ts';
import { lockRun, moveRun } from './run-store.ts';
import { tellCheck } from './tell-check.ts';

/**
 * Ends a run that is in flight; what was not settled is CANCELLED with it. Jobs still queued find nothing to do, and
 * the one that works on a page stops at its next step (contract 7.6).
 * @throws AppError not_found, forbidden; conflict when the run is over.
 */
export async function cancelRun(
  ctx: Pick<Context, 'db' | 'clock'>,
  viewer: Viewer,
  id: string,
  reason = 'cancelled by a user',
): Promise<RunDetail> {
  await readRun(ctx, viewer, id, 'suite.run');
  await inTransaction(ctx.db, async (trx) => {
    const run = await lockRun(trx, id);
    if (run === null) throw notFound('The test run');
    const now = ctx.clock.now();
    const metadata = { ...run.metadata, cancelledAt: now.toISOString(), reason };
    if (!(await moveRun(trx, id, IN_FLIGHT, 'CANCELLED', { endedAt: now, metadata }))) {
      throw conflict('The test run is over: there is nothing to cancel', 'run_finished');
    }
    const cancelled = await cancelPendingResults(trx, id);
    await appendLogs(trx, id, [
      { type: 'SYSTEM', message: `Run cancelled: ${cancelled} screenshots were not settled`, metadata: { reason } },
    ]);
    await tellCheck(trx, run, 'now');
  });
  return readRun(ctx, viewer, id, 'suite.read');
}
