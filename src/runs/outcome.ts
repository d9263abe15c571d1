import type { PageResult } from './results/result.ts';
import { countByStatus } from './results/result.ts';
import type { RunMetadata } from './run.ts';

export type Outcome = { status: 'COMPLETED' | 'FAILED'; metadata: RunMetadata };

/** The end of a run whose results are all settled. It is FAILED only when every result is an error (spec 3.1). */
export function decideOutcome(results: Pick<PageResult, 'status' | 'path' | 'currentFile'>[]): Outcome {
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
      ...(everyPageErrored ? { error: 'Every page ended with an error' } : {}),
    },
  };
}
