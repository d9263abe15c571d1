import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { createSuite, type CreateSuite } from '../../suites/create-suite.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { queueCrawl } from './queue-crawl.ts';

/**
 * Creates a suite together with its first crawl, so that nobody waits for the check for due crawls. With `autoTrack`, that
 * crawl is followed by the first run.
 * @throws AppError as `createSuite`
 */
export async function createCrawledSuite(
  ctx: Pick<Context, 'db' | 'network' | 'clock'>,
  viewer: Viewer,
  input: CreateSuite,
): Promise<SuiteFor> {
  return inTransaction(ctx.db, async (db) => {
    const { id } = await createSuite({ ...ctx, db }, viewer, input);
    await queueCrawl({ ...ctx, db }, await getSuiteFor({ db }, viewer, id, 'suite.run'));
    return getSuiteFor({ db }, viewer, id, 'suite.read');
  });
}
