import { addressAt, isSameBase, siteBase, type SiteBase } from '../net/site-base.ts';
import type { Suite } from '../suites/suite.ts';
import type { Run } from './run.ts';

/** Where a run captures the suite's pages. */
export type RunTarget = {
  base: SiteBase;
  site: SiteBase;
  /** It captures the suite's own site, as it is now. A build only has the site's address. */
  isOwnSite: boolean;
};

export function runTarget(
  { baseUrl }: Pick<Suite, 'baseUrl'>,
  { runType, targetBaseUrl, buildId }: Pick<Run, 'runType' | 'targetBaseUrl' | 'buildId'>,
): RunTarget {
  const [base, site] = [siteBase(targetBaseUrl), siteBase(baseUrl)];
  return { base, site, isOwnSite: buildId === null && (runType === 'MANUAL' || isSameBase(base, site)) };
}

/**
 * The address of a page at the target. On the site itself that is its own address, for every page of the host.
 * Elsewhere only pages below the base exist.
 * @returns null for a page outside of the suite's base
 */
export function addressAtTarget({ base, site, isOwnSite }: RunTarget, path: string): string | null {
  return isOwnSite ? base.origin + path : addressAt(base, site, path);
}
