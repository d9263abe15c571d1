import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTurns } from '../../async/batches.ts';
import type { Context, WorkerContext } from '../../context.ts';
import { inTransaction, type Db } from '../../db/database.ts';
import { CLOCK, NAMED_MAX } from '../../events/event.ts';
import { recordEvent } from '../../events/record-event.ts';
import { enqueue } from '../../queue/enqueue.ts';
import type { JobRun } from '../../queue/job.ts';
import { autoTrackLimit, compileAutoTrack } from '../../suites/config/auto-track.ts';
import { createSiteFetch, type SiteFetch } from '../../suites/site-access/fetch-site.ts';
import { explainWall, isNamedLogin } from '../../suites/site-access/visit-site.ts';
import { findSuite } from '../../suites/suite-store.ts';
import type { CrawlStats, Suite } from '../../suites/suite.ts';
import { findKnownPages, saveChanges, trackFound } from '../site-page-store.ts';
import { pageChanges, type PageChanges } from '../site-page.ts';
import {
  lockCrawl,
  markCompleted,
  markCrawling,
  markFailed,
  requeue,
  saveProgress,
  unmark,
  type CrawlEnd,
  type CrawlTicket,
} from './crawl-store.ts';
import { addToProgress, type CrawlProgress, type CrawlTracking } from './crawl.ts';
import { discoverSite } from './discover-site.ts';
import { CrawlCancelled, type DiscoverTools, type Discovery } from './discovery.ts';
import { queueNextCrawl } from './queue-crawl.ts';
import { tidyTitle } from './read-html.ts';

/**
 * How often a crawl reports what it has found, and checks whether the suite is gone or a newer crawl has replaced it.
 */
const REPORT_EVERY_MS = 1_000;

/** How many warnings are kept. The service's log has all of them. */
const WARNINGS_MAX = 10;

type Reporting = Pick<DiscoverTools, 'onPage'> & {
  isCancelled: () => Promise<boolean>;
};

/** Reports to the database from time to time. A job that must stop does so at once. */
function reporting(db: Db, ticket: CrawlTicket, signal: AbortSignal): Reporting {
  let progress: CrawlProgress = { pagesFound: 0, lastPages: [] };
  let reportedAt = performance.now();
  return {
    onPage(page) {
      progress = addToProgress(progress, page);
    },
    async isCancelled() {
      signal.throwIfAborted();
      if (performance.now() - reportedAt < REPORT_EVERY_MS) return false;
      reportedAt = performance.now();
      return !(await saveProgress(db, ticket, progress));
    },
  };
}

/** For a login that the page's own script leads to, which requests alone don't encounter. */
async function explainLogin({ baseUrl }: Suite, site: SiteFetch): Promise<string> {
  return explainWall({ wall: 'login', address: baseUrl, visit: await site.visit(baseUrl) });
}

async function discover(
  ctx: WorkerContext,
  suite: Suite,
  ticket: CrawlTicket,
  signal: AbortSignal,
): Promise<Discovery> {
  const known = await findKnownPages(ctx.db, suite.id);
  const { maxPages, maxDepth, crawlOptions } = suite.config;
  const { userAgent, timeout } = crawlOptions;
  const site = createSiteFetch(ctx, { suiteId: suite.id, scope: `crawl ${randomUUID()}` });
  const visit = await site.visit(suite.baseUrl);
  const discovery = await discoverSite(
    {
      baseUrl: suite.baseUrl,
      maxPages,
      maxDepth,
      crawlOptions,
      extraPaths: known.filter((page) => page.addedByHand).map((page) => page.path),
      knownPaths: known.filter((page) => page.status !== 'REMOVED').map((page) => page.path),
    },
    {
      fetch: site.fetch,
      render: async (url) => {
        const { sent: access } = await site.visit(url);
        return ctx.browser.renderHtml(url, { userAgent, timeout, access }).catch((error: unknown) => {
          ctx.log.warn({ err: error, suiteId: suite.id, url }, 'a page could not be rendered; links may be missing');
          throw error;
        });
      },
      isLogin: (url) => isNamedLogin(visit, url),
      ...reporting(ctx.db, ticket, signal),
      wait: (milliseconds) => sleep(milliseconds, undefined, { signal }),
    },
  );
  if (discovery.failure === null) return discovery;
  const wall = site.wall() ?? (discovery.isLogin ? await explainLogin(suite, site) : null);
  return wall === null ? discovery : { ...discovery, failure: `${discovery.failure}. ${wall}` };
}

/**
 * Tracks the pages that the suite wants tracked, those near the root first. The settings may have changed during the
 * crawl.
 */
async function trackPages(
  trx: Db,
  suiteId: string,
  { config }: CrawlEnd,
  { pages }: Discovery,
): Promise<CrawlTracking | null> {
  const limit = autoTrackLimit(config);
  if (limit === null) return null;
  const isTracked = compileAutoTrack(config);
  const paths: string[] = [];
  for await (const { path } of inTurns(pages)) if (isTracked(path)) paths.push(path);
  return trackFound(trx, suiteId, { paths, limit });
}

async function fail(trx: Db, suiteId: string, error: string, now: Date): Promise<void> {
  if (!(await markFailed(trx, suiteId, error, now))) return;
  await recordEvent(trx, CLOCK, { kind: 'crawl.failed', suiteId, details: { error } });
}

/** Records what a crawl found and no longer found, in the transaction that stores it. */
async function recordPages(
  trx: Db,
  suiteId: string,
  { added }: Pick<PageChanges, 'added'>,
  { removed, ...found }: { removed: string[]; tracked: number; first: boolean },
): Promise<void> {
  if (added.length > 0) {
    const paths = added.slice(0, NAMED_MAX).map(({ path }) => path);
    const details = { pages: added.length, paths, ...found };
    await recordEvent(trx, CLOCK, { kind: 'pages.found', suiteId, details });
  }
  if (removed.length > 0) {
    const details = { pages: removed.length, paths: removed.slice(0, NAMED_MAX) };
    await recordEvent(trx, CLOCK, { kind: 'pages.removed', suiteId, details });
  }
}

/** Stores pages and state in one transaction. Null when a newer crawl has replaced this one; nothing is stored then. */
async function settle(
  ctx: WorkerContext,
  suite: Suite,
  ticket: CrawlTicket,
  discovery: Discovery,
): Promise<(CrawlStats & Partial<CrawlTracking>) | 'failed' | 'moved' | null> {
  const now = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const place = await lockCrawl(trx, ticket);
    if (place === null) return null;
    if (place.baseUrl !== suite.baseUrl) {
      await requeue(trx, ticket, now);
      await queueNextCrawl(trx, { ...suite, origin: place.origin });
      return 'moved';
    }
    if (discovery.failure !== null) {
      await fail(trx, suite.id, discovery.failure, now);
      return 'failed';
    }
    const changes = pageChanges(await findKnownPages(trx, suite.id), discovery);
    const removed = await saveChanges(trx, suite, changes, now);
    const warnings = discovery.warnings.slice(0, WARNINGS_MAX).flatMap((warning) => tidyTitle(warning) ?? []);
    const stats = {
      pagesFound: discovery.pages.length,
      pagesAdded: changes.added.length,
      pagesRemoved: changes.removed.length,
      ...(warnings.length === 0 ? {} : { warnings }),
    };
    const tracking = await trackPages(trx, suite.id, place, discovery);
    await markCompleted(trx, ticket, { stats, tracking }, now);
    await recordPages(trx, suite.id, changes, {
      removed,
      tracked: tracking?.tracked ?? 0,
      first: place.isFirst,
    });
    if (place.isFirst && tracking !== null) await enqueue(trx, 'start-first-run', { suiteId: suite.id });
    return { ...stats, ...tracking };
  });
}

/**
 * The job of one crawl: QUEUED → CRAWLING → COMPLETED or FAILED. When it is delivered again, it starts over if its
 * worker died, and does nothing if the crawl has ended.
 */
export async function crawlSuite(
  ctx: WorkerContext,
  { suiteId }: { suiteId: string },
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  const ticket = await markCrawling(ctx.db, suiteId);
  const suite = ticket === null ? null : await findSuite(ctx.db, suiteId);
  if (ticket === null || suite === null) return;
  const log = ctx.log.child({ suiteId });
  if (!suite.isActive) {
    await unmark(ctx.db, ticket);
    log.info('the suite was switched off before its crawl began');
    return;
  }
  log.info({ baseUrl: suite.baseUrl }, 'crawl started');
  try {
    const discovery = await discover(ctx, suite, ticket, signal);
    const outcome = await settle(ctx, suite, ticket, discovery);
    const { warnings, failure } = discovery;
    log.info({ outcome, warnings, failure }, 'crawl ended');
  } catch (error) {
    if (!(error instanceof CrawlCancelled)) throw error;
    log.info('the crawl ended because the suite was deleted or crawled by another job');
  }
}

/** Called when a crawl's job failed at every attempt. */
export async function giveUpCrawl(ctx: Pick<Context, 'db' | 'clock'>, { suiteId }: { suiteId: string }): Promise<void> {
  await inTransaction(ctx.db, async (trx) => fail(trx, suiteId, 'The crawl failed on every attempt', ctx.clock.now()));
}
