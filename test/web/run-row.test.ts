import { describe, expect, it } from '@jest/globals';
import { REVIEW_SECTIONS } from '../../src/runs/results/result.ts';
import type { Run } from '../../src/runs/run.ts';
import { effectiveConfig } from '../../src/suites/config/suite-config.ts';
import { pollRuns } from '../../src/web/live-poll.ts';
import { runRow, type RunTally } from '../../src/web/run-row.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);

const runWith = (change: Partial<Run>): Run => ({
  id: 'r1',
  number: 5,
  trigger: null,
  startedById: null,
  tokenName: null,
  cancelledById: null,
  merged: null,
  testSuiteId: 's1',
  status: 'COMPLETED',
  runType: 'MANUAL',
  reviewState: 'NOT_REQUIRED',
  targetBaseUrl: 'https://preview.example',
  config: effectiveConfig({}),
  buildId: null,
  git: null,
  isMerged: false,
  isGated: true,
  verdictNumber: 0,
  changeRequests: 0,
  sectionCounts: [0, 0, 0, 0, 0, 0, 0],
  approvedResults: 0,
  rendersAll: false,
  settingsHash: null,
  settingsApprovedAt: null,
  settingsApprovedById: null,
  settingsCarriedOver: false,
  startedAt: ago(100),
  endedAt: ago(10),
  metadata: null,
  createdAt: ago(120),
  updatedAt: ago(10),
  ...change,
});

const counting = (counts: Partial<RunTally['counts']>, approvedResults = 0) => ({
  sectionCounts: REVIEW_SECTIONS.map((section) => counts[section] ?? 0),
  approvedResults,
});

describe("a run's row", () => {
  it('begins with the suite in a list over suites, and with what started the run in a suite’s own', () => {
    const run = runWith({ runType: 'PR', git: { prNumber: 7, branch: 'fix' } });
    const own = runRow(run, NOW);
    expect([own.title, own.what, own.ref]).toEqual(['#5 Pull request #7', null, 'fix']);
    const listed = runRow({ ...run, testSuite: { name: 'Shop' } }, NOW);
    expect([listed.title, listed.what]).toEqual(['Shop', '#5 Pull request #7']);
  });

  it('says that there were errors where nothing is to review, and not that nothing changed', () => {
    const label = (change: Partial<Run>) => runRow(runWith(change), NOW).badge.label;
    expect(label({ metadata: { errorTests: 2 } })).toBe('Errors');
    expect(label({ metadata: { errorTests: 0 } })).toBe('No changes');
    expect(label({ metadata: { errorTests: 2 }, reviewState: 'PENDING' })).toBe('Review required');
    expect(label({ metadata: { errorTests: 2 }, reviewState: 'APPROVED' })).toBe('Errors');
    expect(label({ metadata: { errorTests: 0 }, reviewState: 'APPROVED' })).toBe('Approved');
    expect(label({ metadata: { reason: 'preview_skipped' } })).toBe('Nothing captured');
  });

  it('names the host of a preview that has no branch', () => {
    expect(runRow(runWith({ runType: 'BRANCH' }), NOW).ref).toBe('preview.example');
  });

  it('says what was found, and while a review is due how far it is', () => {
    const found = counting({ changed: 3, new: 1, error: 2, passed: 9 }, 2);
    const textsOf = (reviewState: Run['reviewState']) =>
      runRow(runWith({ ...found, reviewState }), NOW).counts.map(({ text }) => text);
    expect(textsOf('PENDING')).toEqual(['1 left to review', '2 approved', '2 errors']);
    expect(textsOf('APPROVED')).toEqual(['3 changed', '1 new', '2 errors']);
  });

  it('has progress only while it is in flight and there is something to do', () => {
    const half = counting({ passed: 2, pending: 2 });
    const running = runWith({ status: 'RUNNING', endedAt: null });
    expect(runRow({ ...running, ...half }, NOW)).toMatchObject({ progress: { settled: 2, total: 4 }, seconds: null });
    expect(runRow(running, NOW).progress).toBeNull();
    expect(runRow(runWith(half), NOW)).toMatchObject({ progress: null, seconds: 90, age: '2 minutes ago' });
  });

  it('says why it ended, or what it waits for', () => {
    const noteOf = (change: Partial<Run>) => runRow(runWith(change), NOW).note;
    expect(noteOf({ status: 'FAILED', metadata: { error: 'Every page failed' } })).toBe('Every page failed');
    const superseded = { reason: 'superseded', by: 'def5678aaaaaaa' } as const;
    expect(noteOf({ status: 'CANCELLED', metadata: superseded })).toBe('Superseded by def5678');
    expect(noteOf({ status: 'CANCELLED', metadata: { reason: 'suite_inactive' } })).toBe('The suite was deactivated');
    expect(noteOf({ metadata: { error: 'No tracked pages' } })).toBe('No tracked pages');
    expect(noteOf({ status: 'PENDING', runType: 'PR', git: {} })).toBe('Waiting for a preview deployment');
    expect(noteOf({ status: 'PENDING', runType: 'PR', git: { enqueued: true } })).toBeNull();
  });
});

describe('an open page', () => {
  it('looks as often as the run that moved last wants it, and never once all are over', () => {
    const moved = (seconds: number) => runWith({ status: 'RUNNING', updatedAt: ago(seconds) });
    const every = (...runs: Run[]) => pollRuns(runs, '/', NOW)?.seconds ?? null;
    expect([every(moved(3)), every(moved(90)), every(moved(900)), every(moved(9000))]).toEqual([2, 5, 15, 60]);
    expect(every(moved(9000), moved(90), runWith({}))).toBe(5);
    expect([every(runWith({})), every()]).toEqual([null, null]);
  });
});
