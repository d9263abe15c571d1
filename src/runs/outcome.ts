import { countByStatus, type PageResult } from './results/result.ts';
import type { RunMetadata } from './run.ts';

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
