import { toActor } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { recordEvent } from '../events/record-event.ts';
import { enqueue } from '../queue/enqueue.ts';
import { suitePrefix } from '../storage/object-name.ts';
import { lockSettings, removeSuite } from './suite-store.ts';
import { toRepositoryKey, type SuiteFor } from './suite.ts';

/**
 * Queues the end of the suite's checks, in the transaction that deletes it. Passed in, because runs are in a room to
 * the right.
 */
export type QueueEndOfChecks = (trx: Db, suiteId: string) => Promise<void>;

/**
 * Deletes the suite and all its rows at once. Jobs that commit with the deletion then remove its screenshots and end its
 * checks at the code host.
 */
export async function deleteSuite(
  ctx: Pick<Context, 'db'>,
  suite: SuiteFor<'suite.delete'>,
  queueEndOfChecks: QueueEndOfChecks,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    // From here on no run of the suite can start, so no check is missed.
    if ((await lockSettings(trx, suite.id)) === null) throw notFound('Suite');
    await queueEndOfChecks(trx, suite.id);
    await removeSuite(trx, suite.id);
    const details = { name: suite.name };
    await recordEvent(trx, toActor(suite.viewer), { kind: 'suite.deleted', suiteId: suite.id, details });
    await enqueue(trx, 'remove-suite-objects', { suiteId: suite.id });
    // Pull requests no longer show it.
    if (suite.codehost !== null) await enqueue(trx, 'gate-pull-requests', toRepositoryKey(suite.codehost));
  });
}

/** Job: removes the screenshots of a deleted suite. A capture in progress may still store one: see `keepCapture`. */
export async function removeSuiteObjects(ctx: Pick<Context, 'storage'>, payload: { suiteId: string }): Promise<void> {
  await ctx.storage.removeAll(suitePrefix(payload.suiteId));
}
