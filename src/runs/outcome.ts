import type { Db } from '../db/database.ts';
import type { Actor } from '../events/event.ts';
import { savePageStates } from './page-results/page-state-store.ts';
import { recordGate } from './record-run-events.ts';
import { findChanged } from './results/result-store.ts';
import { countByStatus, isChanged, type PageResult } from './results/result.ts';
import { findGateOfRun, setReviewState } from './run-store.ts';
import type { ReviewState, Run, RunMetadata } from './run.ts';
import { settingsReview } from './settings-change/settings-change.ts';

export type Outcome = { status: 'COMPLETED' | 'FAILED'; metadata: RunMetadata };

/** The settled results of a run, counted. */
type ResultSums = {
  results: number;
  pages: number;
  screenshots: number;
  passed: number;
  failed: number;
  errors: number;
};

/**
 * The end of a run whose results are all settled. It is FAILED only when every result is an error (docs/rules.md,
 * Runs).
 */
export function decideOutcome(results: Pick<PageResult, 'status' | 'path' | 'currentFile'>[]): Outcome {
  const counts = countByStatus(results);
  return decideBySums({
    results: results.length,
    pages: new Set(results.map((result) => result.path)).size,
    screenshots: results.filter((result) => result.currentFile !== null).length,
    passed: counts.PASS,
    failed: counts.FAIL,
    errors: counts.ERROR,
  });
}

/** The same, by counts from the database. */
export function decideBySums({ results, pages, screenshots, passed, failed, errors }: ResultSums): Outcome {
  const everyPageErrored = results > 0 && errors === results;
  return {
    status: everyPageErrored ? 'FAILED' : 'COMPLETED',
    metadata: {
      totalPages: pages,
      totalScreenshots: screenshots,
      passedTests: passed,
      failedTests: failed,
      errorTests: errors,
      ...(everyPageErrored ? { error: 'Every page ended with an error' } : {}),
    },
  };
}

/**
 * The parts of the run itself that decide about its gate: open requests for changes, and what its pull request loosens.
 */
type OfRun = Pick<Run, 'changeRequests' | 'settingsHash' | 'settingsApprovedAt'>;

/**
 * The review gate (docs/rules.md, The gate) depends on results with a CHANGE, on requests for changes, and on settings
 * that the pull request loosens.
 */
export function decideReviewState(
  results: Pick<PageResult, 'status' | 'cause' | 'approved'>[],
  { changeRequests, ...settings }: OfRun,
): ReviewState {
  const changed = results.filter(isChanged);
  const approved = changed.filter((result) => result.approved).length;
  return decideGate({ changed: changed.length, approved, changeRequests }, settingsReview(settings));
}

/** The same by how many results have a CHANGE, and how many of those are approved. */
export function decideGate(
  { changed, approved, changeRequests }: Record<'changed' | 'approved' | 'changeRequests', number>,
  settings: ReviewState,
): ReviewState {
  if (changeRequests > 0 || settings === 'PENDING' || approved < changed) return 'PENDING';
  return changed === 0 && settings === 'NOT_REQUIRED' ? 'NOT_REQUIRED' : 'APPROVED';
}

/**
 * Updates the review gate in the transaction that changed what decides about it and has locked the run, and the states of
 * the pages whose results changed.
 */
export async function updateReviewState(
  trx: Db,
  run: Run,
  { paths = [], actor }: { paths?: readonly string[]; actor?: Actor } = {},
): Promise<ReviewState> {
  if (paths.length > 0) await savePageStates(trx, run.id, paths);
  const results = await findChanged(trx, run.id);
  const gate = await findGateOfRun(trx, run.id);
  const reviewState = decideReviewState(results, gate);
  await setReviewState(trx, run.id, reviewState);
  await recordGate(trx, { ...run, ...gate }, reviewState, results, actor);
  return reviewState;
}
