import type { Baseline, PageResult, TestRun } from '../../src/demo/api-shapes.ts';

/** A result as the API returns it. By default: PASS, compared, no differences. */
export function result(path: string, viewport: string, changes: Partial<PageResult> = {}): PageResult {
  return {
    path,
    url: `http://site.example${path}`,
    viewport,
    status: 'PASS',
    isNew: false,
    diffScore: 0,
    diffFile: null,
    error: null,
    ...changes,
  };
}

export const changed = (path: string, viewport: string) =>
  result(path, viewport, { status: 'FAIL', diffScore: 2.5, diffFile: '/files/diff.png' });

export const fresh = (path: string, viewport: string) => result(path, viewport, { isNew: true, diffScore: null });

export function run(pageResults: PageResult[], changes: Partial<TestRun> = {}): TestRun {
  return { id: 'run', status: 'COMPLETED', reviewState: 'NOT_REQUIRED', metadata: null, pageResults, ...changes };
}

export const firstVersion = (path: string, viewport: string): Baseline => ({ path, viewport, currentVersion: 1 });
