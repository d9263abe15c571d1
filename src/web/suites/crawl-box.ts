import type { CrawlState, SuiteForViewer } from '../../suites/suite.ts';
import type { Badge } from '../badge.ts';
import { CRAWL_BADGES } from '../badge.ts';
import { withQuery } from '../pager.ts';
import { listPermissions } from '../permissions.ts';
import type { Poll } from '../live-poll.ts';
import { crawlWait } from '../live-poll.ts';

export type CrawlBox = {
  action: string;
  badge: Badge;
  isInFlight: boolean;
  /** True if no crawl is queued, running or due. */
  isDone: boolean;
  mayCrawl: boolean;
  lastCrawledAt: Date | null;
  stats: { found: number; added: number; removed: number } | null;
  error: string | null;
  poll: Poll | null;
};

function isCrawling({ status }: CrawlState): boolean {
  return status === 'QUEUED' || status === 'CRAWLING';
}

/** A suite that was never crawled is queued within seconds, unless crawling is turned off (contract 6). */
function isFirstDue({ kind, isActive, config, crawl }: SuiteForViewer): boolean {
  return kind === 'SUITE' && isActive && config.recrawlInterval !== 'off' && crawl.status === 'IDLE';
}

/** True if a crawl is in progress, or will start by itself soon. */
export function isCrawlAwaited(suite: SuiteForViewer): boolean {
  return isCrawling(suite.crawl) || isFirstDue(suite);
}

/**
 * @param asked how often the open page has polled already
 * @param empty whether the open page lists no pages
 */
export function crawlBox(suite: SuiteForViewer, { asked, empty }: { asked: number; empty: boolean }): CrawlBox {
  const { crawl } = suite;
  const { lastStats } = crawl;
  const path = `/suites/${suite.id}/crawl`;
  const isInFlight = isCrawling(crawl);
  const isDone = !isCrawlAwaited(suite);
  const again = { seen: crawl.status, asked: asked + 1, empty: empty ? 'yes' : null };
  const seconds = crawlWait(asked);
  return {
    action: path,
    badge: CRAWL_BADGES[crawl.status],
    isInFlight,
    isDone,
    mayCrawl: listPermissions(suite.access).run && !isInFlight,
    lastCrawledAt: crawl.lastCrawledAt,
    stats:
      lastStats === null
        ? null
        : { found: lastStats.pagesFound, added: lastStats.pagesAdded, removed: lastStats.pagesRemoved },
    error: crawl.error,
    poll: isDone || seconds === null ? null : { href: withQuery(path, again), seconds },
  };
}
