import { describe, expect, it } from '@jest/globals';
import { departures } from '../../src/demo/plan.ts';
import type { Observed } from '../../src/demo/plan.ts';
import { changed, firstVersion, fresh, result, run } from './results.ts';

const plan = { paths: ['/', '/prices'], changes: { '/prices': 'color', '/new': 'new' }, viewports: ['wide', 'small'] };
const each = <T>(path: string, make: (path: string, viewport: string) => T) =>
  plan.viewports.map((viewport) => make(path, viewport));

function asPlanned(): Observed {
  const seeded = [...each('/', firstVersion), ...each('/prices', firstVersion)];
  return {
    crawled: ['/', '/prices'],
    baseline: run([...each('/', fresh), ...each('/prices', fresh)]),
    seeded,
    seededAfterBranch: seeded,
    branch: run([...each('/', result), ...each('/prices', changed), ...each('/new', fresh)], {
      reviewState: 'PENDING',
    }),
  };
}

describe('the plan of the demo', () => {
  it('is met when exactly the changed pages fail and the new one is new', () => {
    expect(departures(plan, asPlanned())).toEqual([]);
  });

  it('names a page that the crawl missed, and one that it should have left alone', () => {
    expect(departures(plan, { ...asPlanned(), crawled: ['/', '/staff'] })).toEqual([
      'Crawl: /prices is missing',
      'Crawl: /staff was not planned',
    ]);
  });

  it('names a page that fails although nothing changed', () => {
    const branch = run(
      [changed('/', 'wide'), result('/', 'small'), ...each('/prices', changed), ...each('/new', fresh)],
      { reviewState: 'PENDING' },
    );
    expect(departures(plan, { ...asPlanned(), branch })).toEqual(['Branch run: / at wide is FAIL, not PASS']);
  });

  it('names a change that went unseen, and the review that nobody was asked for', () => {
    const branch = run([...each('/', result), ...each('/prices', result), ...each('/new', fresh)]);
    expect(departures(plan, { ...asPlanned(), branch })).toEqual([
      'Branch run: the review is NOT_REQUIRED, not PENDING',
      'Branch run: /prices at wide is PASS, not FAIL',
      'Branch run: /prices at small is PASS, not FAIL',
    ]);
  });

  it('does not take a FAIL without a diff image for a FAIL', () => {
    const branch = run(
      [
        ...each('/', result),
        changed('/prices', 'wide'),
        result('/prices', 'small', { status: 'FAIL', diffScore: 1 }),
        ...each('/new', fresh),
      ],
      { reviewState: 'PENDING' },
    );
    expect(departures(plan, { ...asPlanned(), branch })).toEqual([
      'Branch run: /prices at small is FAIL without a diff image (1 %), not FAIL',
    ]);
  });

  it('names a result that is missing, and one that appears twice', () => {
    const baseline = run([fresh('/', 'wide'), fresh('/', 'wide'), ...each('/prices', fresh)]);
    expect(departures(plan, { ...asPlanned(), baseline })).toEqual([
      'Baseline run: / at small is missing',
      'Baseline run: / at wide appears twice',
    ]);
  });

  it('names a run that did not complete, and why a page could not be captured', () => {
    const error = { status: 'ERROR', error: 'The page returned 500', diffScore: null } as const;
    const baseline = run([result('/', 'wide', error), fresh('/', 'small'), ...each('/prices', fresh)], {
      status: 'FAILED',
    });
    expect(departures(plan, { ...asPlanned(), baseline })).toEqual([
      'Baseline run: the run is FAILED, not COMPLETED',
      'Baseline run: / at wide is ERROR: The page returned 500, not PASS, new',
    ]);
  });

  it('names a baseline that was not seeded', () => {
    const seeded = [...each('/', firstVersion), firstVersion('/prices', 'wide')];
    expect(departures(plan, { ...asPlanned(), seeded })).toEqual(['Baselines: /prices at small is missing']);
  });

  it('names a baseline that the branch run changed or added, for it may do neither', () => {
    const planned = asPlanned();
    const seededAfterBranch = [
      ...planned.seeded.slice(1),
      { ...firstVersion('/', 'wide'), currentVersion: 2 },
      ...each('/new', firstVersion),
    ];
    expect(departures(plan, { ...planned, seededAfterBranch })).toEqual([
      'Baselines after the branch run: /new at wide was not planned',
      'Baselines after the branch run: /new at small was not planned',
      'Baselines after the branch run: / at wide is at version 2, not 1',
    ]);
  });
});
