import type { Baseline } from '../../baselines/baseline.ts';
import type { WorkerContext } from '../../context.ts';
import { siteBase } from '../../net/site-base.ts';
import type { Suite } from '../../suites/suite.ts';
import { visitSite } from '../../suites/site-access/visit-site.ts';
import type { PageResult } from '../results/result.ts';
import type { Run } from '../run.ts';
import { createAskAgain } from './ask-again.ts';
import { isKnownEngine } from './manifest.ts';
import { isDoubted } from './proof.ts';
import { findRecord } from './proof-store.ts';
import { provePage } from './prove-page.ts';

/**
 * How many requests show that the suite's own site serves a page as it did when its baseline was taken, by the browser that
 * would capture it now. Null: they don't, or the suite's proofs are in doubt.
 */
export async function proveSite(
  ctx: WorkerContext,
  { run, suite }: { run: Run; suite: Suite },
  { path, viewport }: Pick<PageResult, 'path' | 'viewport'>,
  { manifestFile }: Pick<Baseline, 'manifestFile'>,
): Promise<number | null> {
  if (manifestFile === null || isDoubted(run, await findRecord(ctx.db, suite.id))) return null;
  const engine = await ctx.browser.engine();
  if (!isKnownEngine(engine)) return null;
  const of = { suiteId: suite.id, scope: run.id };
  const site = siteBase(suite.baseUrl);
  const page = { path, viewport, url: suite.origin + path };
  const { revision } = await visitSite(ctx, { ...of, url: page.url });
  const ask = createAskAgain(ctx, run, { places: { base: site, site }, site: null, key: `${run.id}/site` });
  return provePage(ctx, { run, ask, inputs: { engine, access: revision } }, page, manifestFile);
}
