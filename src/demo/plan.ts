import type { Baseline, PageResult, TestRun } from './api-shapes.ts';

export type Plan = {
  /** All pages of "before". */
  paths: string[];
  /** What "after" does to these pages, and the pages that only "after" has (`new`). */
  changes: Record<string, string>;
  viewports: string[];
};

export type Observed = {
  crawled: string[];
  baseline: TestRun;
  /** The baselines after the baseline run. They must be the same after the branch run. */
  seeded: Baseline[];
  seededAfterBranch: Baseline[];
  branch: TestRun;
};

const key = (path: string | null, viewport: string) => `${path ?? 'no path'} at ${viewport}`;

function listKeys(paths: string[], viewports: string[]): string[] {
  return paths.flatMap((path) => viewports.map((viewport) => key(path, viewport)));
}

/** Names what is missing and what is unexpected, one sentence for each. */
function compareSets(what: string, planned: string[], found: string[]): string[] {
  return [
    ...planned.filter((item) => !found.includes(item)).map((item) => `${what}: ${item} is missing`),
    ...found.filter((item) => !planned.includes(item)).map((item) => `${what}: ${item} was not planned`),
    ...found.filter((item, i) => found.indexOf(item) !== i).map((item) => `${what}: ${item} appears twice`),
  ];
}

/** A result in the words of the plan, such as `PASS`, `PASS, new`, `FAIL`, `FAIL without a diff image`. */
function describeOutcome(result: PageResult): string {
  const compared = result.diffScore !== null && result.diffScore > 0 && result.diffFile !== null;
  if (result.status === 'FAIL' && !compared) return `FAIL without a diff image (${result.diffScore} %)`;
  if (result.status === 'ERROR') return `ERROR: ${result.error}`;
  return result.isNew ? `${result.status}, new` : result.status;
}

function resultProblems(what: string, run: TestRun, plannedOutcome: (path: string | null) => string): string[] {
  return run.pageResults.flatMap((result) => {
    const planned = plannedOutcome(result.path);
    const found = describeOutcome(result);
    return planned === found ? [] : [`${what}: ${key(result.path, result.viewport)} is ${found}, not ${planned}`];
  });
}

function runProblems(what: string, run: TestRun, reviewState: string, keys: string[]): string[] {
  const found = run.pageResults.map((result) => key(result.path, result.viewport));
  return [
    ...(run.status === 'COMPLETED' ? [] : [`${what}: the run is ${run.status}, not COMPLETED`]),
    ...(run.reviewState === reviewState ? [] : [`${what}: the review is ${run.reviewState}, not ${reviewState}`]),
    ...compareSets(what, keys, found),
  ];
}

function baselineProblems(what: string, baselines: Baseline[], keys: string[]): string[] {
  const found = baselines.map((baseline) => key(baseline.path, baseline.viewport));
  const notFirst = baselines.filter((baseline) => baseline.currentVersion !== 1);
  return [
    ...compareSets(what, keys, found),
    ...notFirst.map((b) => `${what}: ${key(b.path, b.viewport)} is at version ${b.currentVersion}, not 1`),
  ];
}

/** All differences between the demo's outcome and the plan. Empty if there are none. */
export function departures({ paths, changes, viewports }: Plan, observed: Observed): string[] {
  const newPaths = Object.keys(changes).filter((path) => changes[path] === 'new');
  const before = listKeys(paths, viewports);
  const inBranch = (path: string | null) => {
    const change = path === null ? undefined : changes[path];
    if (change === undefined) return 'PASS';
    return change === 'new' ? 'PASS, new' : 'FAIL';
  };
  return [
    ...compareSets('Crawl', paths, observed.crawled),
    ...runProblems('Baseline run', observed.baseline, 'NOT_REQUIRED', before),
    ...resultProblems('Baseline run', observed.baseline, () => 'PASS, new'),
    ...baselineProblems('Baselines', observed.seeded, before),
    ...runProblems('Branch run', observed.branch, 'PENDING', listKeys([...paths, ...newPaths], viewports)),
    ...resultProblems('Branch run', observed.branch, inBranch),
    ...baselineProblems('Baselines after the branch run', observed.seededAfterBranch, before),
  ];
}
