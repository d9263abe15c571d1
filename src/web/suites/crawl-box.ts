import { z } from 'zod';
import type { Context } from '../../context.ts';
import { onSuite } from '../../http/acts-on.ts';
import { readCrawl } from '../../pages/crawl/crawl-store.ts';
import type { CrawlDetails } from '../../pages/crawl/crawl.ts';
import { readPageTally } from '../../pages/page-search-store.ts';
import { readContents } from '../../runs/run-store.ts';
import { CRAWL_STATUSES, type CrawlState, type SuiteFor, type SuiteForViewer } from '../../suites/suite.ts';
import { typedNumber } from '../../text/typed-number.ts';
import { CRAWL_BADGES } from '../badge.ts';
import { crawlWait } from '../live-poll.ts';
import { linkAccess, listPermissions } from '../permissions.ts';
import { pageRoute, redirect, withQuery } from '../web-route.ts';
import { readNextStep } from './next-step.ts';

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
  return isPlain ? { progress: null, tracking: null } : readCrawl(ctx.db, suite);
}

/**
 * What an open page already shows: the status of the crawl, the number of pages found, and how often it has polled
 * since.
 */
export type Seen = { seen: string | null; found: number; asked: number };

export const NOTHING_SEEN: Seen = { seen: null, found: 0, asked: 0 };

function hasNews({ crawl }: SuiteForViewer, { progress }: CrawlDetails, seen: Seen): boolean {
  return crawl.status !== seen.seen || (progress?.pagesFound ?? 0) !== seen.found;
}

/**
 * @param replaceable whether the open page lists nothing that somebody may be using
 * @param awaitsRun whether the first run is about to start automatically
 */
export function crawlBox(
  suite: SuiteForViewer,
  details: CrawlDetails,
  { seen, replaceable, awaitsRun }: { seen: Seen; replaceable: boolean; awaitsRun: boolean },
) {
  const { crawl } = suite;
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
    stats: isInFlight ? null : crawl.lastStats,
    warnings: isInFlight ? [] : (crawl.lastStats?.warnings ?? []),
    tracking: isInFlight ? null : tracking,
    progress,
    error: crawl.error,
    access: linkAccess(suite),
    poll: isDone || seconds === null ? null : { href: withQuery(path, again), seconds },
  };
}

const Asked = z.object({
  seen: z.enum(CRAWL_STATUSES).nullable().catch(null),
  found: typedNumber(0, 1_000_000).catch(0),
  empty: z.literal('yes').nullable().catch(null),
  asked: typedNumber(0, 10_000).catch(0),
});

/** For an open page: when to poll again, and the state of the crawl if it has changed. */
export const getCrawl = pageRoute(
  { path: '/suites/:id/crawl', ...onSuite('suite.read'), query: Asked },
  async (ctx, { suite, query, htmx }) => {
    if (!htmx) return redirect(`/suites/${suite.id}`);
    const [details, tally, { runs }] = await Promise.all([
      readShownCrawl(ctx, suite),
      readPageTally(ctx.db, suite),
      readContents(ctx.db, suite),
    ]);
    const next = await readNextStep(ctx, suite, details, { ...tally, runs });
    const replaceable = query.empty !== null;
    const crawl = crawlBox(suite, details, { seen: query, replaceable, awaitsRun: next.soon });
    if (crawl.isDone && replaceable) return redirect(`/suites/${suite.id}`);
    const model = { crawl, hasChanged: hasNews(suite, details, query) };
    return { kind: 'fragment', view: 'suites/crawl-part', model };
  },
);
