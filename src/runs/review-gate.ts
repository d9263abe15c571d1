import type { Viewer } from '../auth/viewer.ts';
import type { Db } from '../db/database.ts';
import { appendLogs } from './log-store.ts';
import { reviewStateOf } from './outcome.ts';
import { findResult, findResults, markApproved } from './result-store.ts';
import type { PageResult } from './result.ts';
import type { Run } from './run.ts';
import { lockRun, setReviewState } from './run-store.ts';
import { tellCheck } from './tell-check.ts';

/** The run, locked for the rest of the transaction: approvals, reruns and finishing take turns. */
export async function lockRunForReview(trx: Db, runId: string): Promise<Run | null> {
  return lockRun(trx, runId);
}

export async function findResultsForReview(trx: Db, runId: string): Promise<PageResult[]> {
  return findResults(trx, runId);
}

export async function findResultForReview(db: Db, id: string): Promise<PageResult | null> {
  return findResult(db, id);
}

/** Marks the results and brings the gate to what they now say (contract 7.3). */
export async function approveResults(trx: Db, run: Run, results: PageResult[], viewer: Viewer): Promise<void> {
  await markApproved(
    trx,
    results.map((result) => result.id),
    viewer.id,
  );
  const reviewState = reviewStateOf(await findResults(trx, run.id));
  await setReviewState(trx, run.id, reviewState);
  await appendLogs(trx, run.id, [
    {
      type: 'SYSTEM',
      message: `${results.length} results approved by ${viewer.name ?? viewer.email}`,
      metadata: { approvedById: viewer.id, results: results.length, reviewState },
    },
  ]);
  await tellCheck(trx, run, 'now');
}
