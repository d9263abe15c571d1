import type { Context } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { notFound } from '../errors.ts';
import type { Db } from '../db/database.ts';
import { enqueue } from '../queue/enqueue.ts';
import { suitePrefix } from '../storage/object-name.ts';
import { lockConfig, removeSuite } from './suite-store.ts';
import type { SuiteFor } from './suite.ts';

/** Queues the end of the suite's checks at the code host, in the transaction that deletes it: runs are right of here. */
export type QueueEndOfChecks = (trx: Db, suiteId: string) => Promise<void>;

/**
 * The suite and all that hangs on it goes at once; its pictures, and its checks at the code host, follow in jobs that
 * commit with the deletion.
 */
export async function deleteSuite(
  ctx: Pick<Context, 'db'>,
  suite: SuiteFor<'suite.delete'>,
  queueEndOfChecks: QueueEndOfChecks,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    // Nobody starts a run of it any more, so that no check is missed.
    if ((await lockConfig(trx, suite.id)) === null) throw notFound('Suite');
    await queueEndOfChecks(trx, suite.id);
    await removeSuite(trx, suite.id);
    await enqueue(trx, 'remove-suite-objects', { suiteId: suite.id });
  });
}

/** Job: removes the pictures of a deleted suite. A capture that was under way may store one more: see `capturePage`. */
export async function removeSuiteObjects(ctx: Pick<Context, 'storage'>, payload: { suiteId: string }): Promise<void> {
  await ctx.storage.removeAll(suitePrefix(payload.suiteId));
}
