import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { CLOCK, type EventDetails } from '../events/event.ts';
import { recordEvent } from '../events/record-event.ts';
import { nextRun } from '../suites/config/run-schedule.ts';
import { findSuite } from '../suites/suite-store.ts';
import { claim, findDue, findUnplanned, forgetOutdated, plan, type DueRun } from './due-run-store.ts';
import { hasSiteRun, isSiteRunInFlight, lockSuiteRuns } from './run-store.ts';
import { draftSiteRun, openRunIfAny } from './start-run.ts';

async function openFirstRun(trx: Db, suiteId: string): Promise<string | null> {
  await lockSuiteRuns(trx, suiteId);
  const suite = await findSuite(trx, suiteId);
  if (suite === null || !suite.isActive || (await hasSiteRun(trx, suiteId))) return null;
  const run = await openRunIfAny(trx, draftSiteRun(suite, { startedBy: suite.userId, trigger: 'CRAWL' }));
  return run?.id ?? null;
}

/**
 * Job: the first run of a suite whose first crawl has tracked pages, which captures the baselines. Does nothing if
 * there is a run already, or nothing to capture. It counts as the owner's, who requested it by the suite's
 * configuration.
 */
export async function startFirstRun(
  { db, log }: Pick<Context, 'db' | 'log'>,
  { suiteId }: { suiteId: string },
): Promise<void> {
  const runId = await inTransaction(db, async (trx) => openFirstRun(trx, suiteId));
  if (runId !== null) log.info({ suiteId, runId }, 'the first run of a suite started');
}

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
  const outcome = await inTransaction(db, async (trx) => {
    if (!(await claim(trx, due, next))) return null;
    const opened = await open(trx, suiteId);
    await recordMissed(trx, due, { now, next, skipped: 'skipped' in opened ? opened.skipped : null });
    return opened;
  });
  if (outcome !== null) log.info({ suiteId, dueAt, next, ...outcome }, 'a scheduled run was due');
}

type Missed = EventDetails['schedule.missed']['reason'];

/** Records that a scheduled time had no run: this one, or earlier ones, of which the plan has only the first. */
async function recordMissed(
  trx: Db,
  { suiteId, schedule, dueAt }: DueRun,
  { now, next, skipped }: { now: Date; next: Date; skipped: Missed | null },
): Promise<void> {
  const second = nextRun(schedule, dueAt);
  const reason = second !== null && second <= now ? 'not_running' : skipped;
  if (reason === null) return;
  const details = { dueAt: dueAt.toISOString(), nextAt: next.toISOString(), reason };
  await recordEvent(trx, CLOCK, { kind: 'schedule.missed', suiteId, details });
}

/** A suite with nothing to capture, or with a run of its site still in flight, waits for its next time. */
async function open(trx: Db, suiteId: string): Promise<{ runId: string } | { skipped: Missed }> {
  await lockSuiteRuns(trx, suiteId);
  const suite = await findSuite(trx, suiteId);
  if (suite === null || !suite.isActive) return { skipped: 'suite_inactive' };
  if (await isSiteRunInFlight(trx, suiteId)) return { skipped: 'run_in_progress' };
  const run = await openRunIfAny(trx, draftSiteRun(suite, { trigger: 'SCHEDULE' }));
  return run === null ? { skipped: 'no_tracked_pages' } : { runId: run.id };
}
