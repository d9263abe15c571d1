import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { notFound } from '../errors.ts';
import type { Db } from '../db/database.ts';
import { enqueue, enqueueAll } from '../queue/enqueue.ts';
import { suitePrefix } from '../storage/object-name.ts';
import { findOpenChecks } from './open-check-store.ts';
import { getSuiteFor } from './read-suite.ts';
import { lockConfig, removeSuite } from './suite-store.ts';

/** In the queue of the run's own check: whatever is about to make that check does so before this ends it. */
async function queueEndOfChecks(trx: Db, suiteId: string): Promise<void> {
  const jobs = (await findOpenChecks(trx, suiteId)).map(({ installationId, checkRunId, ...check }) => ({
    payload: { ...check, installationId: String(installationId), checkRunId: String(checkRunId ?? '') },
    options: { key: `end-check/${check.runId}`, queue: `check/${check.runId}` },
  }));
  await enqueueAll(trx, 'end-check', jobs);
}

/**
 * The suite and all that hangs on it goes at once; its pictures, and its checks at the code host, follow in jobs that
 * commit with the deletion.
 */
export async function deleteSuite(ctx: Pick<Context, 'db'>, viewer: Viewer, id: string): Promise<void> {
  const suite = await getSuiteFor(ctx, viewer, id, 'suite.delete');
  await inTransaction(ctx.db, async (trx) => {
    // Nobody starts a run of it any more, so that no check is missed.
    if ((await lockConfig(trx, suite.id)) === null) throw notFound('The test suite');
    await queueEndOfChecks(trx, suite.id);
    await removeSuite(trx, suite.id);
    await enqueue(trx, 'remove-suite-objects', { suiteId: suite.id });
  });
}

/** Job: removes the pictures of a deleted suite. A capture that was under way may store one more: see `capturePage`. */
export async function removeSuiteObjects(ctx: Pick<Context, 'storage'>, payload: { suiteId: string }): Promise<void> {
  await ctx.storage.removeAll(suitePrefix(payload.suiteId));
}
