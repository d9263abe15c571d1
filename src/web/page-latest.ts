import type { PageLatestResult } from '../runs/results/latest-result.ts';
import type { Badge } from './badge.ts';
import { latestBadges } from './badge.ts';

/** The outcome of the latest finished site run for a page. */
export type PageLatest = {
  /** The URL of the run. */
  href: string;
  badge: Badge;
  /** The largest difference in percent. Null if nothing changed. */
  diffScore: number | null;
  viewports: { name: string; badge: Badge }[];
  /** The viewports, unless all of them are in the same state as the page. */
  differing: { name: string; badge: Badge }[];
};

export function pageLatest(latest: PageLatestResult | null): PageLatest | null {
  if (latest === null) return null;
  const { page, viewports } = latestBadges(latest);
  return {
    href: `/runs/${latest.testRunId}`,
    badge: page,
    diffScore: latest.status === 'FAIL' ? latest.diffScore : null,
    viewports,
    differing: viewports.every(({ badge }) => badge === page) ? [] : viewports,
  };
}
