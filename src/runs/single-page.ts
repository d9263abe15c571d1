import type { Permission } from '../access/role.ts';
import type { Viewer } from '../auth/user.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/database.ts';
import { invalid, notFound } from '../errors.ts';
import { pageAddress } from '../pages/page-identity.ts';
import { keepTrackedPage } from '../pages/site-page-store.ts';
import { getSuiteFor, getWithSuite } from '../suites/read-suite.ts';
import { parseHttpUrl } from '../suites/suite-input.ts';
import { createSinglePageSuite } from '../suites/suite-life.ts';
import type { SuiteFor } from '../suites/suite.ts';
import type { Run } from './run.ts';
import { beganBy, draftSiteRun, openRun } from './start-run.ts';

/**
 * Adds a single page (a suite of kind MANUAL) and starts its first run, which captures the baseline.
 * The origin of the URL becomes the base URL, and the URL becomes the tracked page. Without a name, or with an empty one,
 * the single page is called by its URL.
 * @throws AppError invalid, unprocessable.
 */
export async function createSinglePage(
  ctx: Pick<Context, 'db' | 'network' | 'clock'>,
  viewer: Viewer,
  input: { url: string; name?: string | null | undefined },
): Promise<{ singlePage: SuiteFor; run: Run }> {
  const page = pageAddress(parseHttpUrl(input.url, 'url'));
  if (page === null) throw invalid('url is too long', [{ path: 'url', message: 'is too long' }]);
  await ctx.network.assertAllowed(page.url);
  const { origin, host } = new URL(page.url);
  const { singlePageId, run } = await inTransaction(ctx.db, async (trx) => {
    const singlePage = await createSinglePageSuite(trx, viewer, { name: input.name || host + page.path, origin });
    await keepTrackedPage(trx, singlePage, page.path);
    return { singlePageId: singlePage.id, run: await openRun(trx, draftSiteRun(singlePage, beganBy(viewer))) };
  });
  return { singlePage: await getSuiteFor(ctx, viewer, singlePageId, 'suite.read'), run };
}

/** @throws AppError not_found, also for a suite of kind SUITE; forbidden. */
export async function getSinglePageFor<P extends Permission>(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  id: string,
  permission: P,
): Promise<SuiteFor<P>> {
  const named = { testSuiteId: id };
  const { suite } = await getWithSuite(ctx, viewer, named, { what: 'Single page', permission });
  if (suite.kind !== 'MANUAL') throw notFound('Single page');
  return suite;
}
