import type { SitePageWithResult } from '../../runs/results/latest-result.ts';
import type { Badge } from '../badge.ts';
import { PAGE_BADGES } from '../badge.ts';
import type { PageLatest } from '../page-latest.ts';
import { pageLatest } from '../page-latest.ts';

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
};

export function pageRow(page: SitePageWithResult): ListedPage {
  return {
    id: page.id,
    href: `/suites/${page.testSuiteId}/pages/${page.id}`,
    path: page.path,
    title: page.title,
    status: PAGE_BADGES[page.status],
    tracked: page.tracked,
    removedAt: page.removedAt,
    latest: pageLatest(page.latestResult),
  };
}
