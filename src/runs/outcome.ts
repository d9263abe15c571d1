import type { PageResult } from './result.ts';
import { countByStatus } from './result.ts';
import type { ReviewState, RunMetadata, RunStatus } from './run.ts';

export type Outcome = { status: RunStatus; metadata: RunMetadata };

/** The review gate follows the FAIL results and nothing else (contract 7.3). */
export function reviewStateOf(results: Pick<PageResult, 'status' | 'approved'>[]): ReviewState {
  const changed = results.filter((result) => result.status === 'FAIL');
  if (changed.length === 0) return 'NOT_REQUIRED';
  return changed.every((result) => result.approved) ? 'APPROVED' : 'PENDING';
}

/** How a run whose results are all settled ends: FAILED only when every one of them is an error (spec 3.1). */
export function outcomeOf(results: Pick<PageResult, 'status' | 'path' | 'currentFile'>[]): Outcome {
  const counts = countByStatus(results);
  const everyPageErrored = results.length > 0 && counts.ERROR === results.length;
  return {
    status: everyPageErrored ? 'FAILED' : 'COMPLETED',
    metadata: {
      totalPages: new Set(results.map((result) => result.path)).size,
      totalScreenshots: results.filter((result) => result.currentFile !== null).length,
      passedTests: counts.PASS,
      failedTests: counts.FAIL,
      errorTests: counts.ERROR,
      ...(everyPageErrored ? { error: 'Every page ended in an error' } : {}),
    },
  };
}
