import type { SitePageWithResult, StabilityShare } from '../../runs/page-results/result-of-page.ts';
import { NOT_TRACKED_BADGE, PAGE_BADGES, pageLatest, type Badge } from '../badge.ts';
import { thumbnail } from '../comparison/read-image.ts';
import { describeShare } from '../stability.ts';

export type ListedPage = ReturnType<typeof pageRow>;

/** What the view prints of one page of a suite. */
function pageRow(page: SitePageWithResult, shares: readonly StabilityShare[], view: 'list' | 'grid') {
  const { latestResult: latest } = page;
  return {
    ...page,
    href: `/suites/${page.testSuiteId}/pages/${page.id}`,
    labels: [
      ...(page.status === 'ACTIVE' ? [] : [PAGE_BADGES[page.status]]),
      ...(page.tracked || page.status === 'REMOVED' ? [] : [NOT_TRACKED_BADGE]),
    ],
    latest: pageLatest(latest),
    shot: latest?.screenshot ? thumbnail(latest.screenshot, view === 'grid' ? 'large' : 'small') : null,
    unstable: shares.filter(({ pageId }) => pageId === page.id).map(describeShare),
  };
}

/** What most rows have in common. `whose`: which of the listed pages it applies to. */
type Shared = { whose: string; badges: Badge[] };

const isOnlyBadge = ({ latest }: ListedPage, badge: Badge) => latest?.badge === badge && !latest.diffScore;

/** The latest result that most of the rows have, unless it is a difference, which each row tells. */
function mostCommonLatest(rows: readonly ListedPage[]): { badge: Badge; others: number } | null {
  const badges = rows.flatMap(({ latest }) => (latest === null || latest.diffScore ? [] : [latest.badge]));
  const counted = badges.map((badge) => ({
    badge,
    others: rows.length - badges.filter((each) => each === badge).length,
  }));
  const [most] = counted.toSorted((one, other) => one.others - other.others);
  return most !== undefined && most.others * 2 < rows.length ? most : null;
}

/**
 * @param shares of the suite's pages that were not always stable @returns the rows, and what all or most of them have in
 * common, which is shown once and not in each row.
 */
export function listPageRows(
  pages: readonly SitePageWithResult[],
  shares: readonly StabilityShare[],
  view: 'list' | 'grid',
): { rows: ListedPage[]; shared: Shared[] } {
  const rows = pages.map((page) => pageRow(page, shares, view));
  const [first] = rows;
  if (first === undefined || rows.length === 1) return { rows, shared: [] };
  const labels = first.labels.filter((label) => rows.every((row) => row.labels.includes(label)));
  const most = mostCommonLatest(rows);
  const isOfAll = most?.others === 0;
  const ofAll = [...labels, ...(isOfAll ? [most.badge] : [])];
  const ofMost = most === null || isOfAll ? [] : [{ whose: `All but ${most.others}`, badges: [most.badge] }];
  return {
    rows: rows.map((row) => ({
      ...row,
      labels: row.labels.filter((label) => !labels.includes(label)),
      latest: most !== null && isOnlyBadge(row, most.badge) ? null : row.latest,
    })),
    shared: [...(ofAll.length === 0 ? [] : [{ whose: 'All of these pages', badges: ofAll }]), ...ofMost],
  };
}
