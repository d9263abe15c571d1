import { z } from 'zod';
import { readRows, type Db } from '../../db/database.ts';
import { json } from '../../db/json.ts';
import { effectiveConfig, type SuiteConfig } from '../../suites/config/suite-config.ts';
import type { CrawlStats, SuiteFor } from '../../suites/suite.ts';
import type { CrawlDetails, CrawlProgress, CrawlTracking } from './crawl.ts';

/**
 * The crawl columns of a suite's row (`crawl_*`, `last_crawled_at`), which only pages/ writes. `queuedAt` identifies
 * the crawl, so a job that is delivered twice, or whose worker was thought dead, can only end its own crawl.
 */
export type CrawlTicket = { suiteId: string; queuedAt: Date };

const IN_FLIGHT = ['QUEUED', 'CRAWLING'] as const;

/** False when a crawl is already queued or running. */
export async function markQueued(db: Db, suiteId: string, now: Date): Promise<boolean> {
  const marked = await db('test_suites')
    .where({ id: suiteId })
    .whereNotIn('crawl_status', IN_FLIGHT)
    .update({ crawl_status: 'QUEUED', crawl_queued_at: now, updated_at: db.fn.now() });
  return marked === 1;
}

const DueSuite = z.object({ id: z.string(), origin: z.string(), userId: z.string() });
export type DueSuite = z.infer<typeof DueSuite>;

/**
 * Marks every suite whose recrawl is due as QUEUED. As this is one statement, hosts that call it at the same time each
 * get different suites. `daily` is the default interval. Suites younger than two seconds are skipped, so
 * that their creator can request the first crawl without a conflict.
 */
export async function markDueQueued(db: Db, now: Date, limit: number): Promise<DueSuite[]> {
  return readRows(
    db,
    DueSuite,
    `with due as (
       select id from test_suites
       where kind = 'SUITE' and is_active and crawl_status not in ('QUEUED', 'CRAWLING')
         and coalesce(config ->> 'recrawlInterval', 'daily') <> 'off'
         and (last_crawled_at is null and created_at <= now() - interval '2 seconds'
           or last_crawled_at <= cast(:now as timestamptz) -
           case coalesce(config ->> 'recrawlInterval', 'daily')
             when '6h' then interval '6 hours'
             when '12h' then interval '12 hours'
             when 'weekly' then interval '7 days'
             else interval '1 day' end)
       order by last_crawled_at nulls first, id
       limit :limit
       for update skip locked
     )
     update test_suites set crawl_status = 'QUEUED', crawl_queued_at = :now, updated_at = now()
     from due where test_suites.id = due.id
     returning test_suites.id, test_suites.origin, test_suites.user_id`,
    { now, limit },
  );
}

/** Null when there is nothing to crawl. A crawl whose worker died is still CRAWLING, and starts over. */
export async function markCrawling(db: Db, suiteId: string): Promise<CrawlTicket | null> {
  const [row] = await db('test_suites')
    .where({ id: suiteId })
    .whereIn('crawl_status', IN_FLIGHT)
    .update({ crawl_status: 'CRAWLING', crawl_progress: null, updated_at: db.fn.now() })
    .returning('crawl_queued_at');
  return row === undefined || row.crawlQueuedAt === null ? null : { suiteId, queuedAt: row.crawlQueuedAt };
}

const ours = (db: Db, { suiteId, queuedAt }: CrawlTicket) =>
  db('test_suites').where({ id: suiteId, crawl_status: 'CRAWLING', crawl_queued_at: queuedAt });

/**
 * Facts about the suite that may have changed by the end of the crawl. `isFirst`: no crawl of the suite has completed.
 */
export type CrawlEnd = {
  baseUrl: string;
  origin: string;
  config: SuiteConfig;
  isFirst: boolean;
};

/** Locks the suite's row until the transaction ends. Null when a newer crawl replaced this one. */
export async function lockCrawl(db: Db, ticket: CrawlTicket): Promise<CrawlEnd | null> {
  const row = await ours(db, ticket).forUpdate().first('base_url', 'origin', 'config', 'crawl_stats');
  if (row === null) return null;
  const { baseUrl, origin, config, crawlStats } = row;
  return { baseUrl, origin, config: effectiveConfig(config), isFirst: crawlStats === null };
}

/** False when a newer crawl replaced this one. */
export async function saveProgress(db: Db, ticket: CrawlTicket, progress: CrawlProgress): Promise<boolean> {
  return (await ours(db, ticket).update({ crawl_progress: json(progress) })) === 1;
}

/** What a suite's crawl has found so far, and what the last one tracked automatically. */
export async function readCrawl(db: Db, { id }: SuiteFor): Promise<CrawlDetails> {
  const row = await db('test_suites').where({ id }).first('crawl_progress', 'crawl_tracked');
  return { progress: row?.crawlProgress ?? null, tracking: row?.crawlTracked ?? null };
}

export async function markCompleted(
  db: Db,
  ticket: CrawlTicket,
  { stats, tracking }: { stats: CrawlStats; tracking: CrawlTracking | null },
  now: Date,
): Promise<void> {
  await ours(db, ticket).update({
    crawl_status: 'COMPLETED',
    crawl_stats: json(stats),
    crawl_tracked: tracking === null ? null : json(tracking),
    crawl_progress: null,
    crawl_error: null,
    last_crawled_at: now,
    updated_at: db.fn.now(),
  });
}

/**
 * A failed crawl sets `last_crawled_at`, too. Otherwise a site that is down would be crawled without a pause. False when no
 * crawl was queued or in progress.
 */
export async function markFailed(db: Db, suiteId: string, error: string, now: Date): Promise<boolean> {
  const failed = await db('test_suites').where({ id: suiteId }).whereIn('crawl_status', IN_FLIGHT).update({
    crawl_status: 'FAILED',
    crawl_error: error,
    crawl_progress: null,
    last_crawled_at: now,
    updated_at: db.fn.now(),
  });
  return failed === 1;
}

/** For a crawl that was queued before its suite was deactivated: restores the state before. */
export async function unmark(db: Db, ticket: CrawlTicket): Promise<void> {
  await ours(db, ticket).update({
    crawl_status: db.raw(
      "case when crawl_error is not null then 'FAILED' when crawl_stats is null then 'IDLE' else 'COMPLETED' end",
    ),
    crawl_queued_at: null,
    updated_at: db.fn.now(),
  });
}

/** For a suite whose address changed during the crawl: the pages found are those of the old site. */
export async function requeue(db: Db, ticket: CrawlTicket, now: Date): Promise<void> {
  await ours(db, ticket).update({
    crawl_status: 'QUEUED',
    crawl_queued_at: now,
    crawl_progress: null,
    updated_at: db.fn.now(),
  });
}
