import { describe, expect, it } from '@jest/globals';
import { isApprovable } from '../../../src/review/approval/approvable.ts';
import { secondsLeft } from '../../../src/review/overview/read-run-overview.ts';
import { findSection, RESULT_STATUSES, REVIEW_SECTIONS } from '../../../src/runs/results/result.ts';

describe('the section of a result', () => {
  it('tells what changed and what is new from what only passed', () => {
    expect(findSection({ status: 'FAIL', isNew: false, cause: 'CHANGE' })).toBe('changed');
    expect(findSection({ status: 'PASS', isNew: true, cause: null })).toBe('new');
    expect(findSection({ status: 'PASS', isNew: false, cause: null })).toBe('passed');
  });

  it('is one of those that a review shows, whatever the status', () => {
    const sections = RESULT_STATUSES.flatMap((status) =>
      [true, false].flatMap((isNew) =>
        ([null, 'DRIFT'] as const).map((cause) => findSection({ status, isNew, cause })),
      ),
    );
    expect([...new Set(sections)].sort()).toEqual([...REVIEW_SECTIONS].sort());
  });
});

describe('what an approval can speak for', () => {
  const changed = { status: 'FAIL', cause: 'CHANGE', isNew: false, approved: false, currentFile: 'a.png' } as const;

  it('is a change with a screenshot, until it is approved', () => {
    expect(isApprovable({ runType: 'MANUAL' }, changed)).toBe(true);
    expect(isApprovable({ runType: 'PR' }, { ...changed, approved: true })).toBe(false);
    expect(isApprovable({ runType: 'PR' }, { ...changed, currentFile: null })).toBe(false);
  });

  it('is no difference that has another cause', () => {
    expect(isApprovable({ runType: 'PR' }, { ...changed, cause: 'DRIFT' })).toBe(false);
  });

  it('is a new page where no run has seeded it', () => {
    const added = { ...changed, status: 'PASS', isNew: true } as const;
    const types = ['MANUAL', 'PR', 'BRANCH'] as const;
    expect(types.map((runType) => isApprovable({ runType }, added))).toEqual([false, true, true]);
  });

  it('is no error and nothing that passed', () => {
    for (const status of ['PASS', 'ERROR', 'PENDING', 'CANCELLED'] as const) {
      expect(isApprovable({ runType: 'PR' }, { ...changed, status })).toBe(false);
    }
  });
});

describe('the time that is left', () => {
  const startedAt = new Date('2030-01-01T00:00:00Z');
  const now = new Date('2030-01-01T00:00:30Z');
  const run = { startedAt, metadata: null };

  it('follows the pace so far', () => {
    expect(secondsLeft(run, { settled: 3, total: 10 }, now)).toBe(70);
    expect(secondsLeft(run, { settled: 10, total: 10 }, now)).toBe(0);
  });

  it('is unknown before three results, before the start, and while errors are taken again', () => {
    expect(secondsLeft(run, { settled: 2, total: 10 }, now)).toBeNull();
    expect(secondsLeft({ ...run, startedAt: null }, { settled: 3, total: 10 }, now)).toBeNull();
    expect(secondsLeft({ ...run, metadata: { errorTests: 1 } }, { settled: 9, total: 10 }, now)).toBeNull();
  });

  it('is never negative where clocks differ', () => {
    expect(secondsLeft(run, { settled: 3, total: 10 }, new Date('2029-12-31T23:59:59Z'))).toBe(0);
  });
});
