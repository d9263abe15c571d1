import type { SitePageWithResult } from '../../runs/latest-result.ts';
import type { Badge } from '../badge.ts';
import { latestBadge, PAGE_BADGES } from '../badge.ts';

/** What the view prints of one page of a suite. */
export type ListedPage = {
  id: string;
  href: string;
  path: string;
  title: string | null;
  status: Badge;
  tracked: boolean;
  removedAt: Date | null;
  /** Of the newest finished run of the site that took the page. */
  latest: {
    href: string;
    badge: Badge;
    diffScore: number | null;
    viewports: { name: string; badge: Badge }[];
  } | null;
};

function latestOf({ latestResult }: SitePageWithResult): ListedPage['latest'] {
  if (latestResult === null) return null;
  const { testRunId, status, diffScore, viewports } = latestResult;
  return {
    href: `/runs/${testRunId}`,
    badge: latestBadge(latestResult, status),
    diffScore: status === 'FAIL' ? diffScore : null,
    viewports: Object.entries(viewports)
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([name, each]) => ({ name, badge: latestBadge(latestResult, each) })),
  };
}

export function pageRow(page: SitePageWithResult): ListedPage {
  return {
    id: page.id,
    href: `/suites/${page.testSuiteId}/pages/${page.id}`,
    path: page.path,
    title: page.title,
    status: PAGE_BADGES[page.status],
    tracked: page.tracked,
    removedAt: page.removedAt,
    latest: latestOf(page),
  };
}
