import type { Db } from '../db/database.ts';
import { findChanged } from './results/result-store.ts';
import type { PageResult } from './results/result.ts';
import { isChanged } from './results/result.ts';
import type { ReviewState } from './run.ts';
import { setReviewState } from './run-store.ts';

/** Only results with a CHANGE decide about the review gate (contract 7.3, 9). */
export function decideReviewState(results: Pick<PageResult, 'status' | 'cause' | 'approved'>[]): ReviewState {
  const changed = results.filter(isChanged);
  if (changed.length === 0) return 'NOT_REQUIRED';
  return changed.every((result) => result.approved) ? 'APPROVED' : 'PENDING';
}

/** Updates the review gate in the transaction that changed the results. */
export async function updateReviewState(trx: Db, runId: string): Promise<ReviewState> {
  const reviewState = decideReviewState(await findChanged(trx, runId));
  await setReviewState(trx, runId, reviewState);
  return reviewState;
}
