import type { Viewer } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { inTransaction, type Db } from '../../db/database.ts';
import { conflict } from '../../errors.ts';
import { enqueue, enqueueAll, type EnqueueOptions } from '../../queue/enqueue.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import { createSuite, type CreateSuite } from '../../suites/suite-life.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { markDueQueued, markQueued } from './crawl-store.ts';

/** How many suites one run of the schedule queues. The next run queues the rest. */
const DUE_AT_ONCE = 500;
const MAX_QUEUE_NAME = 120;

/** Suites on one site are crawled one after the other, so the site sees one crawler (docs/rules.md, Pages). */
function crawlQueue(origin: string): Pick<EnqueueOptions, 'queue'> {
  return { queue: `crawl/${new URL(origin).host}`.slice(0, MAX_QUEUE_NAME) };
}

type CrawledSuite = { id: string; origin: string; userId: string };

/** A person waits for it, so it comes before scheduled crawls. */
export async function queueNextCrawl(trx: Db, { id, origin, userId }: CrawledSuite): Promise<void> {
  await enqueue(trx, 'crawl-suite', { suiteId: id }, { ...crawlQueue(origin), userId, priority: -1 });
}

/**
 * State and job commit together, so a suite never stays QUEUED without a job that crawls it.
 * @throws AppError conflict: a crawl is queued or in progress, the suite is inactive, or it is a single page, which is
 * never crawled.
 */
export async function queueCrawl(ctx: Pick<Context, 'db' | 'clock'>, suite: SuiteFor<'suite.run'>): Promise<void> {
  if (suite.kind === 'MANUAL') throw conflict('A single page cannot be crawled', 'not_crawlable');
  if (!suite.isActive) throw conflict('The suite is inactive', 'suite_not_active');
  await inTransaction(ctx.db, async (trx) => {
    if (!(await markQueued(trx, suite.id, ctx.clock.now()))) {
      throw conflict('A crawl of this suite is already queued or running', 'crawl_queued');
    }
    await queueNextCrawl(trx, suite);
  });
}

/** The schedule of every host calls this. Each suite whose recrawl is due is queued only once across all hosts. */
export async function queueDueCrawls(ctx: Pick<Context, 'db' | 'clock' | 'log'>): Promise<void> {
  const due = await inTransaction(ctx.db, async (trx) => {
    const suites = await markDueQueued(trx, ctx.clock.now(), DUE_AT_ONCE);
    const jobs = suites.map(({ id, origin, userId }) => ({
      payload: { suiteId: id },
      options: { ...crawlQueue(origin), userId },
    }));
    await enqueueAll(trx, 'crawl-suite', jobs);
    return suites;
  });
  if (due.length > 0) ctx.log.info({ suites: due.length }, 'queued due crawls');
}

/**
 * Creates a suite together with its first crawl, so that nobody waits for the check for due crawls. With `autoTrack`, that
 * crawl is followed by the first run.
 * @throws AppError as `createSuite`
 */
export async function createCrawledSuite(
  ctx: Pick<Context, 'db' | 'network' | 'clock'>,
  viewer: Viewer,
  input: CreateSuite,
): Promise<SuiteFor> {
  return inTransaction(ctx.db, async (db) => {
    const { id } = await createSuite({ ...ctx, db }, viewer, input);
    await queueCrawl({ ...ctx, db }, await getSuiteFor({ db }, viewer, id, 'suite.run'));
    return getSuiteFor({ db }, viewer, id, 'suite.read');
  });
}
