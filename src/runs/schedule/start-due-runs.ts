import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { countRunnablePages } from '../../pages/site-page-store.ts';
import { nextRun } from '../../suites/run-schedule.ts';
import { findSuite } from '../../suites/suite-store.ts';
import { isSiteRunInFlight, lockSuiteRuns } from '../run-store.ts';
import { draftSiteRun, openRun } from '../start-run.ts';
import type { DueRun } from './due-run-store.ts';
import { claim, findDue, findUnplanned, forgetOutdated, plan } from './due-run-store.ts';

/** The next call takes the rest. */
const AT_ONCE = 100;

/**
 * Plans the runs of suites with a schedule, and starts those that are due, each on one host. If several times were
 * missed because no host was running, a suite runs once.
 */
export async function startDueRuns(ctx: Pick<Context, 'db' | 'clock' | 'log'>): Promise<void> {
  const { db, clock, log } = ctx;
  const now = clock.now();
  await forgetOutdated(db);
  for (const found of await findUnplanned(db, AT_ONCE)) {
    const dueAt = nextRun(found.schedule, now);
    if (dueAt !== null) await plan(db, found, dueAt);
  }
  for (const due of await findDue(db, now, AT_ONCE)) {
    try {
      await startDueRun(ctx, due, now);
    } catch (error) {
      log.error({ err: error, suiteId: due.suiteId }, 'a scheduled run could not be started');
    }
  }
}

async function startDueRun({ db, log }: Pick<Context, 'db' | 'log'>, due: DueRun, now: Date): Promise<void> {
  const next = nextRun(due.schedule, now);
  if (next === null) return;
  const { suiteId, dueAt } = due;
  const outcome = await inTransaction(db, async (trx) => ((await claim(trx, due, next)) ? open(trx, suiteId) : null));
  if (outcome !== null) log.info({ suiteId, dueAt, next, ...outcome }, 'a scheduled run was due');
}

/** A suite with nothing to capture, or with a run of its site still in flight, waits for its next time. */
async function open(trx: Db, suiteId: string): Promise<{ runId: string } | { skipped: string }> {
  await lockSuiteRuns(trx, suiteId);
  const suite = await findSuite(trx, suiteId);
  if (suite === null || !suite.isActive) return { skipped: 'the suite is inactive' };
  if ((await countRunnablePages(trx, suiteId)) === 0) return { skipped: 'no page is tracked' };
  if (await isSiteRunInFlight(trx, suiteId)) return { skipped: 'the last run of the site is in progress' };
  const began = { startedById: null, trigger: 'SCHEDULE', tokenName: null } as const;
  const run = await openRun(trx, draftSiteRun(suite, began));
  return { runId: run.id };
}
