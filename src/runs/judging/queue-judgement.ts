import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { enqueue, jobKey } from '../../queue/enqueue.ts';
import { hasJobs } from '../../queue/job-store.ts';
import { lockRun } from '../run-store.ts';
import { isInFlight, type Run } from '../run.ts';
import { findRunsAbove, findRunsWithSame, setJudgeAgain, takeJudgeAgain } from './judged-run-store.ts';

/**
 * Has a run judged again, from its stored screenshots, after a change that affects its results: now, or as soon as it
 * has ended. Locks the run until the transaction ends.
 */
export async function queueJudgement(trx: Db, runId: string): Promise<void> {
  const run = await lockRun(trx, runId);
  if (run === null) return;
  if (isInFlight(run.status)) await setJudgeAgain(trx, runId);
  else if (run.status === 'COMPLETED') await enqueue(trx, 'judge-run', { runId });
}

/** At the end of a run, which the caller has locked: queues the judgment that was requested while it was in flight. */
export async function queueMissedJudgement(trx: Db, runId: string): Promise<void> {
  if (await takeJudgeAgain(trx, runId)) await enqueue(trx, 'judge-run', { runId });
}

/** A pull request's run has new screenshots, or begins or ceases to gate: runs based on it may count other changes. */
export async function queueJudgementsAbove(
  trx: Db,
  run: Pick<Run, 'id' | 'testSuiteId'>,
  number: number,
): Promise<void> {
  for (const runId of await findRunsAbove(trx, run, number)) await queueJudgement(trx, runId);
}

/**
 * Somebody refused these screenshots, or took that back. In open pull requests the same screenshot may no longer pass
 * as an older version of the page, or may pass again.
 * @param resultIds null: what changed in the run or is new
 */
export async function queueJudgementsOfSame(
  trx: Db,
  run: Pick<Run, 'id' | 'testSuiteId'>,
  resultIds: string[] | null,
): Promise<void> {
  for (const runId of await findRunsWithSame(trx, run, resultIds)) await enqueue(trx, 'judge-run', { runId });
}

/** Whether the run's results will be judged again because the suite's ignored areas or changes have changed. */
export async function isBeingJudged(
  { db }: Pick<Context, 'db'>,
  { id, testSuiteId, status }: Pick<Run, 'id' | 'testSuiteId' | 'status'>,
): Promise<boolean> {
  if (status !== 'COMPLETED') return false;
  return hasJobs(db, [jobKey('judge-suite', { suiteId: testSuiteId }), jobKey('judge-run', { runId: id })]);
}
