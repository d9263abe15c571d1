import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { notFound } from '../errors.ts';
import { enqueue } from '../queue/enqueue.ts';
import { suitePrefix } from '../storage/object-name.ts';
import { getSuiteFor } from './read-suite.ts';
import { removeSuite } from './suite-store.ts';

/** The suite and all that hangs on it goes at once; its pictures follow in a job that commits with the deletion. */
export async function deleteSuite(ctx: Pick<Context, 'db'>, viewer: Viewer, id: string): Promise<void> {
  const suite = await getSuiteFor(ctx, viewer, id, 'suite.delete');
  await inTransaction(ctx.db, async (trx) => {
    if (!(await removeSuite(trx, suite.id))) throw notFound('The test suite');
    await enqueue(trx, 'remove-suite-objects', { suiteId: suite.id });
  });
}

/** Job: removes the pictures of a deleted suite. A capture that was under way may store one more: see `capturePage`. */
export async function removeSuiteObjects(ctx: Pick<Context, 'storage'>, payload: { suiteId: string }): Promise<void> {
  await ctx.storage.removeAll(suitePrefix(payload.suiteId));
}
