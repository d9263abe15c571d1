import type { Context } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { conflict, notFound } from '../errors.ts';
import { cancelInFlight } from './end-run.ts';
import type { RunFor } from './read-run.ts';
import { findRun } from './run-store.ts';
import type { Run } from './run.ts';

/**
 * Cancels a run that is in flight, and its unsettled results. Queued jobs then find nothing to do, and a job that is
 * working on a page stops at its next step (docs/rules.md, Runs).
 * @throws AppError conflict when the run is over.
 */
export async function cancelRun(ctx: Pick<Context, 'db' | 'clock'>, { id, suite }: RunFor<'suite.run'>): Promise<Run> {
  const cancelled = await inTransaction(ctx.db, (trx) =>
    cancelInFlight(trx, ctx, id, { reason: 'cancelled by a user' }, suite.viewer),
  );
  if (!cancelled) throw conflict('The run has already finished', 'run_finished');
  const run = await findRun(ctx.db, id);
  if (run === null) throw notFound('Run');
  return run;
}
