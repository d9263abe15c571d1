import type { Db } from '../db/database.ts';
import { findChanged } from './result-store.ts';
import type { PageResult } from './result.ts';
import type { ReviewState } from './run.ts';
import { setReviewState } from './run-store.ts';

/** The review gate follows the FAIL results and nothing else (contract 7.3). */
export function reviewStateOf(results: Pick<PageResult, 'status' | 'approved'>[]): ReviewState {
  const changed = results.filter((result) => result.status === 'FAIL');
  if (changed.length === 0) return 'NOT_REQUIRED';
  return changed.every((result) => result.approved) ? 'APPROVED' : 'PENDING';
}

/** Brings the gate to what the results say now, in the transaction that changed them. */
export async function updateReviewState(trx: Db, runId: string): Promise<ReviewState> {
  const reviewState = reviewStateOf(await findChanged(trx, runId));
  await setReviewState(trx, runId, reviewState);
  return reviewState;
}
