import type { Db } from '../db/database.ts';
import { findChanged } from './results/result-store.ts';
import type { PageResult } from './results/result.ts';
import type { ReviewState } from './run.ts';
import { setReviewState } from './run-store.ts';

/** Only FAIL results decide about the review gate (contract 7.3). */
export function decideReviewState(results: Pick<PageResult, 'status' | 'approved'>[]): ReviewState {
  const changed = results.filter((result) => result.status === 'FAIL');
  if (changed.length === 0) return 'NOT_REQUIRED';
  return changed.every((result) => result.approved) ? 'APPROVED' : 'PENDING';
}

/** Updates the review gate in the transaction that changed the results. */
export async function updateReviewState(trx: Db, runId: string): Promise<ReviewState> {
  const reviewState = decideReviewState(await findChanged(trx, runId));
  await setReviewState(trx, runId, reviewState);
  return reviewState;
}
