import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { conflict } from '../errors.ts';
import { cancelInFlight } from './end-run.ts';
import { readRun } from './read-run.ts';
import type { RunDetail } from './read-run.ts';

/**
 * Ends a run that is in flight; what was not settled is CANCELLED with it. Jobs still queued find nothing to do, and
 * the one that works on a page stops at its next step (contract 7.6).
 * @throws AppError not_found, forbidden; conflict when the run is over.
 */
export async function cancelRun(ctx: Pick<Context, 'db' | 'clock'>, viewer: Viewer, id: string): Promise<RunDetail> {
  await readRun(ctx, viewer, id, 'suite.run');
  const cancelled = await inTransaction(ctx.db, (trx) =>
    cancelInFlight(trx, ctx, id, { reason: 'cancelled by a user' }),
  );
  if (!cancelled) throw conflict('The run has already finished', 'run_finished');
  return readRun(ctx, viewer, id, 'suite.read');
}
