import type { SitePageWithResult } from '../../runs/results/latest-result.ts';
import type { StabilityShare } from '../../runs/results/stability.ts';
import type { Badge } from '../badge.ts';
import { PAGE_BADGES } from '../badge.ts';
import type { PageLatest } from '../page-latest.ts';
import { pageLatest } from '../page-latest.ts';
import { describeShare } from '../stability.ts';

/** What the view prints of one page of a suite. */
export type ListedPage = {
  id: string;
  href: string;
  path: string;
  title: string | null;
  status: Badge;
  tracked: boolean;
  removedAt: Date | null;
  latest: PageLatest | null;
  /** Where the page was not always stable. */
  unstable: string[];
};

/** @param shares of the suite's pages that were not always stable */
export function pageRow(page: SitePageWithResult, shares: readonly StabilityShare[]): ListedPage {
  return {
    id: page.id,
    href: `/suites/${page.testSuiteId}/pages/${page.id}`,
    path: page.path,
    title: page.title,
    status: PAGE_BADGES[page.status],
    tracked: page.tracked,
    removedAt: page.removedAt,
    latest: pageLatest(page.latestResult),
    unstable: shares.filter(({ pageId }) => pageId === page.id).map(describeShare),
  };
}
