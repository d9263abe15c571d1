import type { Context } from '../../context.ts';
import type { CrawlDetails } from '../../pages/read-crawl.ts';
import { readCrawl } from '../../pages/read-crawl.ts';
import type { CrawlState, SuiteFor, SuiteForViewer } from '../../suites/suite.ts';
import type { Badge } from '../badge.ts';
import { CRAWL_BADGES } from '../badge.ts';
import { withQuery } from '../pager.ts';
import { listPermissions } from '../permissions.ts';
import type { Poll } from '../live-poll.ts';
import { crawlWait } from '../live-poll.ts';

export type CrawlBox = {
  action: string;
  badge: Badge;
  /** Announced to screen readers when it changes. */
  status: string;
  isQueued: boolean;
  isInFlight: boolean;
  /** True if nothing else will happen automatically: no crawl is queued, running or due, and no first run. */
  isDone: boolean;
  /** True if the open page can be replaced at any time, since nobody is using its list. */
  isReplaceable: boolean;
  mayCrawl: boolean;
  lastCrawledAt: Date | null;
  stats: { found: number; added: number; removed: number } | null;
  /** What the last crawl tracked automatically. */
  tracked: { pages: number; beyond: number } | null;
  /** What the running crawl has found so far. */
  progress: { found: number; pages: { path: string; title: string | null }[] } | null;
  error: string | null;
  poll: Poll | null;
};

function isCrawling({ status }: CrawlState): boolean {
  return status === 'QUEUED' || status === 'CRAWLING';
}

/** A suite that was never crawled is queued within seconds, unless crawling is turned off. */
function isFirstDue({ kind, isActive, config, crawl }: SuiteForViewer): boolean {
  return kind === 'SUITE' && isActive && config.recrawlInterval !== 'off' && crawl.status === 'IDLE';
}

/** True if a crawl is in progress, or will start automatically soon. */
export function isCrawlAwaited(suite: SuiteForViewer): boolean {
  return isCrawling(suite.crawl) || isFirstDue(suite);
}

/** If a suite tracks nothing automatically, there is nothing to read unless a crawl is running. */
export async function readShownCrawl(ctx: Pick<Context, 'db'>, suite: SuiteFor): Promise<CrawlDetails> {
  const isPlain = suite.config.autoTrack === 'off' && !isCrawling(suite.crawl);
  return isPlain ? { progress: null, tracking: null } : readCrawl(ctx, suite);
}

/**
 * What an open page already shows: the status of the crawl, the number of pages found, and how often it has polled
 * since.
 */
export type Seen = { status: string | null; found: number; asked: number };

export const NOTHING_SEEN: Seen = { status: null, found: 0, asked: 0 };

export function hasNews({ crawl }: SuiteForViewer, { progress }: CrawlDetails, seen: Seen): boolean {
  return crawl.status !== seen.status || (progress?.pagesFound ?? 0) !== seen.found;
}

/**
 * @param replaceable whether the open page lists nothing that somebody may be using @param awaitsRun whether the first
 * run is about to start automatically
 */
export function crawlBox(
  suite: SuiteForViewer,
  details: CrawlDetails,
  { seen, replaceable, awaitsRun }: { seen: Seen; replaceable: boolean; awaitsRun: boolean },
): CrawlBox {
  const { crawl } = suite;
  const { lastStats } = crawl;
  const { progress, tracking } = details;
  const path = `/suites/${suite.id}/crawl`;
  const isInFlight = isCrawling(crawl);
  const isDone = !isCrawlAwaited(suite) && !awaitsRun;
  const asked = hasNews(suite, details, seen) ? 0 : seen.asked;
  const again = {
    seen: crawl.status,
    found: progress?.pagesFound ?? null,
    asked: asked + 1,
    empty: replaceable ? 'yes' : null,
  };
  const seconds = crawlWait(asked);
  const badge = CRAWL_BADGES[crawl.status];
  return {
    action: path,
    badge,
    status: badge.label,
    isQueued: crawl.status === 'QUEUED' || isFirstDue(suite),
    isInFlight,
    isDone,
    isReplaceable: replaceable,
    mayCrawl: listPermissions(suite.access).run && suite.isActive && !isInFlight,
    lastCrawledAt: crawl.lastCrawledAt,
    stats:
      lastStats === null || isInFlight
        ? null
        : { found: lastStats.pagesFound, added: lastStats.pagesAdded, removed: lastStats.pagesRemoved },
    tracked: tracking === null || isInFlight ? null : { pages: tracking.tracked, beyond: tracking.beyondLimit },
    progress: progress === null ? null : { found: progress.pagesFound, pages: progress.lastPages },
    error: crawl.error,
    poll: isDone || seconds === null ? null : { href: withQuery(path, again), seconds },
  };
}
