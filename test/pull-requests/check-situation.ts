import type { CheckLinks } from '../../src/pull-requests/check-summary.ts';
import type { CheckSituation } from '../../src/pull-requests/check-verdict.ts';
import type { CheckResult } from '../../src/pull-requests/check.ts';

export const links: CheckLinks = {
  run: 'https://gate.example.com/runs/r1',
  settings: 'https://gate.example.com/suites/s1/settings',
  resultUrl: (id) => `https://gate.example.com/runs/r1/results/${id}`,
  imageUrl: (name) => `https://gate.example.com/files/${name}?signed`,
};

let made = 0;

/** A result that passed, with the given fields changed. */
export function result(said: Partial<CheckResult> = {}): CheckResult {
  made += 1;
  return {
    id: `result-${made}`,
    path: `/page-${made}`,
    viewport: 'desktop',
    status: 'PASS',
    cause: null,
    causePullRequest: null,
    approved: false,
    isNew: false,
    diffScore: 0,
    diffFile: null,
    cut: false,
    currentFile: 'current.png',
    carriedOver: false,
    approverName: null,
    ...said,
  };
}

export const results = (count: number, said: Partial<CheckResult> = {}) =>
  Array.from({ length: count }, () => result(said));

/** A completed run of a pull request with these results. */
export function situation(
  of: CheckResult[],
  run: Partial<CheckSituation['run']> = {},
  totalResults = of.length,
): CheckSituation {
  const git = { prNumber: 7, headSha: 'abc1234def5678abc1234def5678abc1234def56', enqueued: true };
  return {
    run: { id: 'r1', status: 'COMPLETED', reviewState: 'NOT_REQUIRED', metadata: null, isGated: true, git, ...run },
    totalResults,
    results: of,
    changes: { groups: [], total: 0 },
    search: null,
  };
}
