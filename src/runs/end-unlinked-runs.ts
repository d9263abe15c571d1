import type { Context } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { cancelPullRequestRun } from './end-pull-request-run.ts';
import { findUnlinked } from './pull-request-run-store.ts';

const UNLINKED = {
  reason: 'suite_unlinked',
  message: 'Run cancelled: the suite was unlinked from the repository',
} as const;
const INACTIVE = { reason: 'suite_inactive', message: 'Run cancelled: the suite was switched off' } as const;

/** Job: cancels runs of pull requests that their suite has no part in any more (contract 7.8), and so ends their checks. */
export async function endUnlinkedRuns(
  ctx: Pick<Context, 'db' | 'clock'>,
  { suiteId }: { suiteId: string },
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    for (const { id, isActive } of await findUnlinked(trx, suiteId)) {
      await cancelPullRequestRun(trx, ctx, id, isActive ? UNLINKED : INACTIVE);
    }
  });
}
