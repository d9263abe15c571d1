import type { WorkerContext } from '../../context.ts';
import { siteBase } from '../../net/site-base.ts';
import { visitSite, type SiteVisit } from '../../suites/site-access/visit-site.ts';
import type { Suite } from '../../suites/suite.ts';
import { isKnownEngine } from '../proofs/manifest.ts';
import { findRecord } from '../proofs/proof-store.ts';
import { isDoubted } from '../proofs/proof.ts';
import { createAskAgain, type Asking } from '../proofs/prove-page.ts';
import { countControls } from '../results/result-store.ts';
import type { Run } from '../run.ts';

/**
 * Checks whether the suite's own site still serves what baselines were made from. Null: the suite's proofs are in
 * doubt, or it has none.
 */
async function askSite(
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

/** If this many captures of the site have failed in a run and none has succeeded, the site is not tried again. */
const MAX_FAILURES = 5;

/** What is known about the suite's own site while pages of a run are captured. */
export type OwnSite = {
  /** Null: nothing is concluded from what it serves. */
  ask(): Promise<Asking | null>;
  isGivenUp(): Promise<boolean>;
};

export function createOwnSite(ctx: WorkerContext, of: { run: Run; suite: Suite; visit: VisitOfRun }): OwnSite {
  let asking: Promise<Asking | null> | null = null;
  let works = false;
  return {
    ask: async () => (asking ??= askSite(ctx, of)),
    async isGivenUp() {
      if (works) return false;
      const { taken, failed } = await countControls(ctx.db, of.run.id);
      works = taken > 0;
      return !works && failed >= MAX_FAILURES;
    },
  };
}

/** The access to one of the run's servers, at this URL. */
export type VisitOfRun = (url: string) => Promise<SiteVisit>;

/** If nothing is sent to an origin, that is looked up only once. */
export function createVisits(
  ctx: WorkerContext,
  { id: scope, testSuiteId: suiteId }: Pick<Run, 'id' | 'testSuiteId'>,
): VisitOfRun {
  const without = new Map<string, SiteVisit>();
  return async (url) => {
    const { origin } = new URL(url);
    const known = without.get(origin);
    if (known !== undefined) return known;
    const visit = await visitSite(ctx, { suiteId, scope, url });
    if (visit.sent === null && visit.failure === null) without.set(origin, visit);
    return visit;
  };
}
