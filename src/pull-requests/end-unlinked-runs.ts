import type { Context } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { cancelInFlight } from '../runs/end-run.ts';
import { findUnlinked } from './pull-request-run-store.ts';

/** Job: cancels runs of pull requests whose suite is inactive or unlinked. Their checks end, too. */
export async function endUnlinkedRuns(
  ctx: Pick<Context, 'db' | 'clock'>,
  { suiteId }: { suiteId: string },
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    for (const { id, isActive } of await findUnlinked(trx, suiteId)) {
      await cancelInFlight(trx, ctx, id, { reason: isActive ? 'suite_unlinked' : 'suite_inactive' });
    }
  });
}
