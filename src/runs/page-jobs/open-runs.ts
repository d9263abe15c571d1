import { keepNewest } from '../../async/keep-newest.ts';
import type { Context, WorkerContext } from '../../context.ts';
import { inTransaction, type Db } from '../../db/database.ts';
import { enqueue, enqueueMissing, giveUpKey, jobKey } from '../../queue/enqueue.ts';
import { CONCURRENCY_MAX, type SuiteConfig } from '../../suites/config/suite-config.ts';
import { describeSiteAccess } from '../../suites/site-access/change-site-access.ts';
import { findSuite } from '../../suites/suite-store.ts';
import type { Suite } from '../../suites/suite.ts';
import { appendLogs } from '../log/log-store.ts';
import type { RunLogLine } from '../log/run-log.ts';
import { changePendingResult, type ResultChange } from '../results/result-store.ts';
import type { PageResult } from '../results/result.ts';
import { findRun, findRunStatus, lockRun, moveRun } from '../run-store.ts';
import { runTarget, type Run, type RunStatus, type RunTarget } from '../run.ts';
import { findBaseConfig } from '../settings-change/settings-change-store.ts';
import { createOwnSite, createVisits, type OwnSite, type VisitOfRun } from './own-site.ts';
import { findDemand, findWaiting, joinTurns } from './page-work-store.ts';
import { LIMITS, type PageWork, type Slot } from './page-work.ts';

/** A run of which a page is captured. */
export type CapturedRun = {
  run: Run;
  suite: Suite;
  target: RunTarget;
  /** The configuration of the base, where the run's pull request loosens it. */
  base: SuiteConfig | null;
  visit: VisitOfRun;
  ownSite: OwnSite;
  pace: Pace;
};

/** Writes to the run's log which access its requests carry, and who changed that last. */
async function logSiteAccess(
  { db }: Pick<Context, 'db'>,
  { id, testSuiteId }: Pick<Run, 'id' | 'testSuiteId'>,
): Promise<void> {
  const message = await describeSiteAccess({ db }, testSuiteId);
  if (message !== null) await appendLogs(db, id, [{ type: 'INFO', message }]);
}

type OpenRun = Omit<CapturedRun, 'pace'>;

/** The runs that a slot works on. */
export type OpenRuns = {
  /** Null when the run has ended or was deleted. */
  open(runId: string): Promise<OpenRun | null>;
};

/** The data of a run is read again after this time, ms. Whether it still runs is checked before anything is written. */
const FRESH_MS = 2000;

/** In one transaction, because if the worker died in between, no other job would write the rest. */
async function begin(ctx: WorkerContext, run: Run): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    if (!(await moveRun(trx, run.id, ['PENDING'], 'RUNNING'))) return;
    await appendLogs(trx, run.id, [{ type: 'SYSTEM', message: 'Run started', progress: 0 }]);
    await logSiteAccess({ db: trx }, run);
  });
}

/** The first page of a run moves it to RUNNING. */
async function read(ctx: WorkerContext, runId: string): Promise<OpenRun | null> {
  const found = await findRun(ctx.db, runId);
  if (found?.status === 'PENDING') await begin(ctx, found);
  const run = found?.status === 'PENDING' ? await findRun(ctx.db, runId) : found;
  const suite = run?.status === 'RUNNING' ? await findSuite(ctx.db, run.testSuiteId) : null;
  if (run?.status !== 'RUNNING' || suite === null) return null;
  const visit = createVisits(ctx, run);
  return {
    run,
    suite,
    target: runTarget(suite, run),
    base: await findBaseConfig(ctx.db, run),
    visit,
    ownSite: createOwnSite(ctx, { run, suite, visit }),
  };
}

export function createOpenRuns(ctx: WorkerContext): OpenRuns {
  let last: { runId: string; at: number; reading: Promise<OpenRun | null> } | null = null;
  return {
    async open(runId) {
      const now = performance.now();
      if (last === null || last.runId !== runId || now - last.at > FRESH_MS) {
        last = { runId, at: now, reading: read(ctx, runId) };
      }
      const { reading } = last;
      const opened = await reading;
      if (opened === null && last.reading === reading) last = null;
      return opened;
    },
  };
}

const JOBS = { capture: 'capture-suite', compare: 'compare-suite' } as const;

/**
 * Opens slots of the run's suite, up to its limit or the number of waiting pages. A slot is one job that runs until
 * nothing is left to do, so the limit holds over all hosts. Call it in the transaction that creates the work.
 */
export async function openSlots(trx: Db, run: Pick<Run, 'testSuiteId' | 'config'>, work: PageWork): Promise<void> {
  const demand = await findDemand(trx, work, run, run.config[LIMITS[work]]);
  if (demand === null) return;
  const { userId, pages } = demand;
  const slots = Array.from({ length: pages }, (_, slot) => ({
    payload: { suiteId: run.testSuiteId, slot },
    options: { userId },
  }));
  await enqueueMissing(trx, JOBS[work], slots);
}

/**
 * Leaves a result to the slots that do this work, with a change of it and lines for the run's log.
 * @returns false when the run has ended, or the result was cancelled or is gone; nothing is written then.
 */
export async function handOver(
  { db }: Pick<Context, 'db'>,
  { id, testRunId }: Pick<PageResult, 'id' | 'testRunId'>,
  work: PageWork,
  change: ResultChange,
  lines: RunLogLine[],
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const run = await lockRun(trx, testRunId);
    if (run?.status !== 'RUNNING' || !(await changePendingResult(trx, id, { ...change, isFree: true }))) return false;
    await appendLogs(trx, run.id, lines);
    await openSlots(trx, run, work);
    return true;
  });
}

/** The keys of the jobs that may be a suite's slots. */
export const slotKeys = (suiteId: string, work: PageWork) =>
  Array.from({ length: CONCURRENCY_MAX }, (_, slot) => jobKey(JOBS[work], { suiteId, slot }));

/** The same when a run starts, or starts again. */
export async function openCaptureSlots(trx: Db, run: Run): Promise<void> {
  await joinTurns(trx, run);
  await openSlots(trx, run, 'capture');
}

/** Ends a slot's job. If work is waiting, the slot is queued again behind the others. */
export async function leaveSlot(db: Db, work: PageWork, slot: Slot): Promise<void> {
  await inTransaction(db, async (trx) => {
    await giveUpKey(trx, JOBS[work], slot);
    const waiting = await findWaiting(trx, work, slot);
    if (waiting !== null) await enqueue(trx, JOBS[work], slot, waiting);
  });
}

/** What work on a page must respect. */
export type PageJob = {
  signal: AbortSignal;
  /**
   * Resolves when the page may be loaded. The resulting function is called when the page waits or is done. Default:
   * always.
   */
  takeTurn?: () => Promise<() => void>;
  /** Takes a place for one more open page. @returns a function that gives it back; null if there is none. */
  takePlace?: () => (() => void) | null;
};

/** What a capture must respect: it ends between two steps if `isOver`. */
export type Pace = Pick<PageJob, 'takeTurn' | 'takePlace'> & { isOver: () => Promise<boolean> };

/** Captures check between all their steps. A process asks the database this often, ms, for all captures of a run. */
const ASK_MS = 1000;
const MOST_RUNS = 50;

const asked = new Map<string, { at: number; status: Promise<RunStatus | null> }>();

function askStatus({ db }: Pick<WorkerContext, 'db'>, { id }: Pick<Run, 'id'>): Promise<RunStatus | null> {
  const known = asked.get(id);
  const now = performance.now();
  if (known !== undefined && now - known.at < ASK_MS) return known.status;
  const { status } = keepNewest(asked, id, { at: now, status: findRunStatus(db, id) }, MOST_RUNS);
  status.catch(() => asked.delete(id));
  return status;
}

/** A capture ends with its job, and within a second with its run. */
export const paceOf = (ctx: Pick<WorkerContext, 'db'>, run: Pick<Run, 'id'>, { signal, ...job }: PageJob): Pace => ({
  ...job,
  isOver: async () => signal.aborted || (await askStatus(ctx, run)) !== 'RUNNING',
});
