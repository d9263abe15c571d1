import type { Db } from '../db/database.ts';
import { findChanged } from './results/result-store.ts';
import type { PageResult } from './results/result.ts';
import { isChanged } from './results/result.ts';
import type { ReviewState } from './run.ts';
import { countChangeRequests, setReviewState } from './run-store.ts';

/**
 * Only results with a CHANGE decide about the review gate (contract 7.3, 9), and requests for changes.
 * @param changeRequests how many are open in the run
 */
export function decideReviewState(
  results: Pick<PageResult, 'status' | 'cause' | 'approved'>[],
  changeRequests = 0,
): ReviewState {
  const changed = results.filter(isChanged);
  return decideGate({
    changed: changed.length,
    approved: changed.filter((result) => result.approved).length,
    changeRequests,
  });
}

/** The same by how many results have a CHANGE, and how many of those are approved. */
export function decideGate({
  changed,
  approved,
  changeRequests,
}: {
  changed: number;
  approved: number;
  changeRequests: number;
}): ReviewState {
  if (changeRequests > 0) return 'PENDING';
  if (changed === 0) return 'NOT_REQUIRED';
  return approved === changed ? 'APPROVED' : 'PENDING';
}

/** Updates the review gate in the transaction that changed the results. */
export async function updateReviewState(trx: Db, runId: string): Promise<ReviewState> {
  const reviewState = decideReviewState(await findChanged(trx, runId), await countChangeRequests(trx, runId));
  await setReviewState(trx, runId, reviewState);
  return reviewState;
}
