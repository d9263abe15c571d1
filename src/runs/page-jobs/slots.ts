import type { Context } from '../../context.ts';
import { inTransaction, type Db } from '../../db/database.ts';
import { enqueue, enqueueMissing, giveUpKey, jobKey } from '../../queue/enqueue.ts';
import { CONCURRENCY_MAX } from '../../suites/config/suite-config.ts';
import { appendLogs } from '../log/log-store.ts';
import type { RunLogLine } from '../log/run-log.ts';
import { changePendingResult, type ResultChange } from '../results/result-store.ts';
import type { PageResult } from '../results/result.ts';
import { lockRun } from '../run-store.ts';
import type { Run } from '../run.ts';
import { findDemand, findWaiting, joinTurns } from './page-work-store.ts';
import type { PageWork } from './page-work.ts';

/** `slot`: from 0. */
export type Slot = { suiteId: string; slot: number };

const JOBS = { capture: 'capture-suite', compare: 'compare-suite' } as const;

/**
 * Opens slots of the run's suite, up to its limit or the number of waiting pages. A slot is one job that runs until
 * nothing is left to do, so the limit holds over all hosts. Call it in the transaction that creates the work.
 */
export async function openSlots(trx: Db, run: Pick<Run, 'testSuiteId' | 'config'>, work: PageWork): Promise<void> {
  const { screenshotConcurrency, comparisonConcurrency } = run.config;
  const limit = work === 'capture' ? screenshotConcurrency : comparisonConcurrency;
  const demand = await findDemand(trx, work, run, limit);
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
    const waiting = await findWaiting(trx, work, slot.suiteId);
    if (waiting !== null) await enqueue(trx, JOBS[work], slot, waiting);
  });
}
