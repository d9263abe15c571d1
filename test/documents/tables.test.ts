import { describe, expect, it } from '@jest/globals';
import { SUITE_ROLES } from '../../src/access/role.ts';
import { FINDING_NAMES } from '../../src/github/doctor/doctor-facts.ts';
import { GAUGES, METRICS } from '../../src/queue/metric.ts';
import { CAUSES } from '../../src/runs/results/result.ts';
import { firstCells, readDocument, sectionOf } from './markdown.ts';

/** The names in the first column of a section's table, without its heading. */
const namesIn = (document: string, heading: string): string[] =>
  firstCells(sectionOf(readDocument(document), heading))
    .slice(1)
    .map((cell) => cell.replaceAll('`', ''));

/** The kinds of `FaultKind`, which is a type. */
const faultKinds = (): string[] => {
  const [, kinds = ''] = /type FaultKind =\n([\s\S]*?);/.exec(readDocument('src/fsck/fault.ts')) ?? [];
  return [...kinds.matchAll(/'(\w+)'/g)].map(([, kind = '']) => kind);
};

/** Requests are measured where they are answered. */
const METRIC_NAMES = [
  ...Object.values({ ...METRICS, ...GAUGES }).map(({ name }) => name),
  'pixelgate_http_request_duration_seconds',
];

describe('the tables of the documents name what there is in the code, and nothing else', () => {
  it.each([
    ['docs/github.md', '## When a check does not arrive: the doctor', FINDING_NAMES],
    ['docs/screenshots.md', '## Causes', CAUSES],
    ['docs/api.md', '## Roles', SUITE_ROLES],
    ['docs/operating.md', '### Metrics', METRIC_NAMES],
    ['docs/operating.md', '## Checking data integrity', faultKinds()],
  ])('%s: %s', (document, heading, names) => {
    expect(namesIn(document, heading).toSorted()).toEqual([...names].toSorted());
    expect(names.length).toBeGreaterThan(0);
  });
});
