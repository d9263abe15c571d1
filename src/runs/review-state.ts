import type { Db } from '../db/database.ts';
import { findChanged } from './results/result-store.ts';
import type { PageResult } from './results/result.ts';
import { isChanged } from './results/result.ts';
import type { ReviewState, Run } from './run.ts';
import { findGateOfRun, setReviewState } from './run-store.ts';
import { settingsReview } from './settings-change/settings-change.ts';

/** What of the run itself decides about its gate: open requests for changes, and what its pull request loosens. */
type OfRun = Pick<Run, 'changeRequests' | 'settingsHash' | 'settingsApprovedAt'>;

/**
 * Results with a CHANGE decide about the review gate (docs/rules.md, The gate), requests for changes, and what the pull
 * request loosens in how it is judged.
 */
export function decideReviewState(
  results: Pick<PageResult, 'status' | 'cause' | 'approved'>[],
  { changeRequests, ...settings }: OfRun,
): ReviewState {
  const changed = results.filter(isChanged);
  return decideGate({
    changed: changed.length,
    approved: changed.filter((result) => result.approved).length,
    changeRequests,
    settings: settingsReview(settings),
  });
}

/** The same by how many results have a CHANGE, and how many of those are approved. */
export function decideGate({
  changed,
  approved,
  changeRequests,
  settings,
}: {
  changed: number;
  approved: number;
  changeRequests: number;
  settings: ReviewState;
}): ReviewState {
  if (changeRequests > 0 || settings === 'PENDING' || approved < changed) return 'PENDING';
  return changed === 0 && settings === 'NOT_REQUIRED' ? 'NOT_REQUIRED' : 'APPROVED';
}

/** Updates the review gate in the transaction that changed what decides about it. */
export async function updateReviewState(trx: Db, runId: string): Promise<ReviewState> {
  const reviewState = decideReviewState(await findChanged(trx, runId), await findGateOfRun(trx, runId));
  await setReviewState(trx, runId, reviewState);
  return reviewState;
}
