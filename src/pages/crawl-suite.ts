import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, WorkerContext } from '../context.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { enqueue } from '../queue/enqueue.ts';
import type { JobRun } from '../queue/job.ts';
import { createSiteFetch } from '../suites/site-access/fetch-site.ts';
import type { SiteVisit } from '../suites/site-access/visit-site.ts';
import { findSuite } from '../suites/suite-store.ts';
import type { CrawlStats, Suite } from '../suites/suite.ts';
import type { CrawlTicket } from './crawl-store.ts';
import { ownsCrawl, lockCrawl, markCompleted, markCrawling, markFailed, requeue } from './crawl-store.ts';
import { discoverSite } from './discover-site.ts';
import type { Discovery } from './discovery.ts';
import { CrawlCancelled } from './discovery.ts';
import { crawlQueue } from './queue-crawl.ts';
import { findKnownPages, saveChanges } from './site-page-store.ts';
import { pageChanges } from './site-page.ts';

/** How often a crawl checks that the suite still exists and that no newer crawl has replaced this one. */
const CHECK_EVERY_MS = 3_000;

/** Checks the database from time to time. A job that must stop does so at once. */
function cancellation(db: Db, ticket: CrawlTicket, signal: AbortSignal | undefined): () => Promise<boolean> {
  let askedAt = Date.now();
  return async () => {
    signal?.throwIfAborted();
    if (Date.now() - askedAt < CHECK_EVERY_MS) return false;
    askedAt = Date.now();
    return !(await ownsCrawl(db, ticket));
  };
}

async function renderWithAccess(
  { browser }: WorkerContext,
  { sent }: SiteVisit,
  { url, ...options }: { url: string; userAgent: string; timeout: number },
): Promise<{ url: string; html: string }> {
  return browser.renderHtml(url, { ...options, access: sent });
}

async function discover(
  ctx: WorkerContext,
  suite: Suite,
  ticket: CrawlTicket,
  signal: AbortSignal | undefined,
): Promise<Discovery> {
  const known = await findKnownPages(ctx.db, suite.id);
  const { maxPages, maxDepth, crawlOptions } = suite.config;
  const { userAgent, timeout } = crawlOptions;
  const site = createSiteFetch(ctx, { suiteId: suite.id, scope: `crawl ${randomUUID()}` });
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
      render: async (url) =>
        renderWithAccess(ctx, await site.visit(url), { url, userAgent, timeout }).catch((error: unknown) => {
          ctx.log.warn({ err: error, suiteId: suite.id, url }, 'a page could not be rendered; links may be missing');
          throw error;
        }),
      isCancelled: cancellation(ctx.db, ticket, signal),
      wait: (milliseconds) => sleep(milliseconds, undefined, signal === undefined ? {} : { signal }),
    },
  );
  const wall = discovery.failure === null ? null : site.wall();
  return wall === null ? discovery : { ...discovery, failure: `${discovery.failure}. ${wall}` };
}

/** Stores pages and state in one transaction. Null when a newer crawl has replaced this one; nothing is stored then. */
async function settle(
  ctx: WorkerContext,
  suite: Suite,
  ticket: CrawlTicket,
  discovery: Discovery,
): Promise<CrawlStats | 'failed' | 'moved' | null> {
  const now = ctx.clock.now();
  return inTransaction(ctx.db, async (trx) => {
    const place = await lockCrawl(trx, ticket);
    if (place === null) return null;
    if (place.baseUrl !== suite.baseUrl) {
      await requeue(trx, ticket, now);
      await enqueue(trx, 'crawl-suite', { suiteId: suite.id }, crawlQueue(place.origin));
      return 'moved';
    }
    if (discovery.failure !== null) {
      await markFailed(trx, suite.id, discovery.failure, now);
      return 'failed';
    }
    const changes = pageChanges(await findKnownPages(trx, suite.id), discovery);
    await saveChanges(trx, suite, changes, now);
    const stats = {
      pagesFound: discovery.pages.length,
      pagesAdded: changes.added.length,
      pagesRemoved: changes.removed.length,
    };
    await markCompleted(trx, ticket, stats, now);
    return stats;
  });
}

/**
 * The job of one crawl: QUEUED → CRAWLING → COMPLETED or FAILED. When it is delivered again, it starts over if its
 * worker died, and does nothing if the crawl has ended.
 */
export async function crawlSuite(ctx: WorkerContext, { suiteId }: { suiteId: string }, job?: JobRun): Promise<void> {
  const ticket = await markCrawling(ctx.db, suiteId);
  const suite = ticket === null ? null : await findSuite(ctx.db, suiteId);
  if (ticket === null || suite === null) return;
  const log = ctx.log.child({ suiteId });
  log.info({ baseUrl: suite.baseUrl }, 'crawl started');
  try {
    const discovery = await discover(ctx, suite, ticket, job?.signal);
    const outcome = await settle(ctx, suite, ticket, discovery);
    const { warnings, failure } = discovery;
    log.info({ outcome, warnings, failure }, 'crawl ended');
  } catch (error) {
    if (!(error instanceof CrawlCancelled)) throw error;
    log.info('the crawl ended because the suite was deleted or crawled by another job');
  }
}

/** Called when a crawl's job failed at every attempt. */
export async function giveUpCrawl(ctx: Pick<Context, 'db' | 'clock'>, suiteId: string, reason: string): Promise<void> {
  await markFailed(ctx.db, suiteId, reason, ctx.clock.now());
}
