import { toActor, type Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { recordEvent } from '../events/record-event.ts';
import { mergeConfig, type SuiteConfigInput } from './config/suite-config.ts';
import { getSuiteFor } from './read-suite.ts';
import { insertFollows } from './suite-for-viewer-store.ts';
import { parseHttpUrl } from './suite-input.ts';
import { insertSuite, type SuiteDraft } from './suite-store.ts';
import type { Suite, SuiteFor } from './suite.ts';

export type CreateSuite = {
  name: string;
  baseUrl: string;
  description?: string | null | undefined;
  config?: SuiteConfigInput | undefined;
};

/**
 * Creates a suite that is crawled. As it has no crawl yet, the next check for due crawls queues one, unless its
 * interval is off.
 * @throws AppError invalid for a malformed address, unprocessable for one that is not allowed.
 */
export async function createSuite(
  ctx: Pick<Context, 'db' | 'network'>,
  viewer: Viewer,
  input: CreateSuite,
): Promise<SuiteFor> {
  const baseUrl = parseHttpUrl(input.baseUrl, 'baseUrl');
  await ctx.network.assertAllowed(baseUrl);
  const suite = await inTransaction(ctx.db, (trx) =>
    addSuite(trx, viewer, {
      name: input.name,
      baseUrl,
      description: input.description ?? null,
      kind: 'SUITE',
      config: mergeConfig({}, input.config ?? {}),
    }),
  );
  return getSuiteFor(ctx, viewer, suite.id, 'suite.read');
}

/** Creates the suite of a single page. The caller adds its page and first run in the same transaction. */
export async function createSinglePageSuite(
  db: Db,
  viewer: Viewer,
  { name, origin }: { name: string; origin: string },
): Promise<Suite> {
  return addSuite(db, viewer, { name, baseUrl: origin, description: null, kind: 'MANUAL', config: {} });
}

/** The owner follows it from the start. */
async function addSuite(trx: Db, viewer: Viewer, draft: Omit<SuiteDraft, 'userId'>): Promise<Suite> {
  const suite = await insertSuite(trx, { ...draft, userId: viewer.id });
  await insertFollows(trx, suite.userId, [suite.id]);
  const details = { name: suite.name, baseUrl: suite.baseUrl };
  await recordEvent(trx, toActor(viewer), { kind: 'suite.created', suiteId: suite.id, details });
  return suite;
}
