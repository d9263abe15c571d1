import type { WorkerContext } from '../../context.ts';
import { siteBase } from '../../net/site-base.ts';
import type { SiteVisit } from '../../suites/site-access/visit-site.ts';
import type { Suite } from '../../suites/suite.ts';
import type { Run } from '../run.ts';
import { createAskAgain } from './ask-again.ts';
import { isKnownEngine } from './manifest.ts';
import { findRecord } from './proof-store.ts';
import { isDoubted } from './proof.ts';
import type { Asking } from './prove-page.ts';

/**
 * Checks whether the suite's own site still serves what baselines were made from. Null: the suite's proofs are in
 * doubt, or it has none.
 */
export async function askSite(
  ctx: WorkerContext,
  { run, suite, visit }: { run: Run; suite: Suite; visit: (url: string) => Promise<SiteVisit> },
): Promise<Asking | null> {
  if (isDoubted(run, await findRecord(ctx.db, suite.id))) return null;
  const engine = await ctx.browser.engine();
  if (!isKnownEngine(engine)) return null;
  const site = siteBase(suite.baseUrl);
  const ask = createAskAgain(ctx, run, { places: { base: site, site }, site: null, key: `${run.id}/site` });
  return { run, ask, inputs: { engine, access: (await visit(suite.baseUrl)).revision } };
}
