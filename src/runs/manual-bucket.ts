import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { invalid, notFound } from '../errors.ts';
import { addTrackedPage } from '../pages/add-page.ts';
import { pageAddress } from '../pages/page-identity.ts';
import { parseHttpUrl } from '../suites/http-url.ts';
import { createBucket } from '../suites/create-suite.ts';
import { getSuiteFor } from '../suites/read-suite.ts';
import type { SuiteForViewer } from '../suites/suite.ts';
import type { Permission } from '../access/role.ts';
import type { Run } from './run.ts';
import { openRun } from './start-run.ts';

/**
 * A bucket for one address: its origin is the base URL, the address its tracked page, and its first run, which captures
 * the baseline, starts with it (spec 4, rule 3).
 * @throws AppError invalid, unprocessable.
 */
export async function createManualRun(
  ctx: Pick<Context, 'db' | 'network' | 'clock'>,
  viewer: Viewer,
  input: { url: string; name?: string | undefined },
): Promise<{ bucket: SuiteForViewer; run: Run }> {
  const page = pageAddress(parseHttpUrl(input.url, 'url'));
  if (page === null) throw invalid('url is too long', [{ path: 'url', message: 'is too long' }]);
  await ctx.network.assertAllowed(page.url);
  const { origin, host } = new URL(page.url);
  const { bucketId, run } = await inTransaction(ctx.db, async (trx) => {
    const bucket = await createBucket(trx, viewer, { name: input.name ?? host + page.path, origin });
    await addTrackedPage(trx, bucket, page);
    const draft = {
      testSuiteId: bucket.id,
      runType: 'MANUAL' as const,
      targetBaseUrl: bucket.baseUrl,
      config: bucket.config,
      git: null,
      startedById: viewer.id,
    };
    return { bucketId: bucket.id, run: await openRun(trx, draft) };
  });
  return { bucket: await getSuiteFor(ctx, viewer, bucketId, 'suite.read'), run };
}

/** @throws AppError not_found, also for a suite that is no bucket; forbidden. */
export async function getBucketFor(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  id: string,
  permission: Permission,
): Promise<SuiteForViewer> {
  const bucket = await getSuiteFor(ctx, viewer, id, permission);
  if (bucket.kind !== 'MANUAL') throw notFound('Single page');
  return bucket;
}
