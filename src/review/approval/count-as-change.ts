import { displayName, toActor } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { conflict, notFound } from '../../errors.ts';
import { recordEvent } from '../../events/record-event.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { findResult } from '../../runs/results/result-store.ts';
import { aboutRun } from '../../runs/run-name.ts';
import { markAsChange } from './counted-store.ts';
import { settleGate } from './review-gate.ts';
import { lockHoldable } from './reviewable.ts';

/**
 * Overrules the cause of a result that does not hold the gate: from now on it needs an approval, like any change. Does
 * nothing when it counts as a change already.
 * @throws AppError conflict when the run is in flight, cancelled, superseded or captured again since, or the result does
 * not differ.
 */
export async function countAsChange(
  ctx: Pick<Context, 'db'>,
  { id, suite }: RunFor<'suite.approve'>,
  resultId: string,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const run = await lockHoldable(trx, id);
    const result = await findResult(trx, resultId);
    if (result?.testRunId !== id) throw notFound('Result');
    if (result.status !== 'FAIL') throw conflict('The result does not differ from its baseline', 'no_change');
    if (!(await markAsChange(trx, resultId))) return;
    const { viewer } = suite;
    const message = `${result.path} at ${result.viewport} counted as a change by ${displayName(viewer)}`;
    await settleGate(trx, run, viewer, message, { countedById: viewer.id, resultId }, [result]);
    const page = { path: result.path, viewport: result.viewport };
    await recordEvent(trx, toActor(viewer), { kind: 'review.counted', ...aboutRun(run, { page }) });
  });
}
