import { describe, expect, it } from '@jest/globals';
import { decideOutcome, decideReviewState } from '../../src/runs/outcome.ts';
import { judgeDiff, type ResultStatus } from '../../src/runs/results/result.ts';

const result = (status: ResultStatus, approved = false, path = '/') => ({
  status,
  cause: null,
  approved,
  path,
  currentFile: status === 'ERROR' ? null : 'screenshot.png',
});

const PLAIN = { changeRequests: 0, settingsHash: null, settingsApprovedAt: null };

describe('the review gate', () => {
  it('asks for nothing without a changed result', () => {
    expect(decideReviewState([result('PASS'), result('ERROR'), result('PASS', true)], PLAIN)).toBe('NOT_REQUIRED');
    expect(decideReviewState([], PLAIN)).toBe('NOT_REQUIRED');
  });

  it('waits while a changed result is not approved', () => {
    expect(decideReviewState([result('FAIL', true), result('FAIL')], PLAIN)).toBe('PENDING');
  });

  it('waits while changes are requested, whatever is approved', () => {
    expect(decideReviewState([result('FAIL', true)], { ...PLAIN, changeRequests: 1 })).toBe('PENDING');
    expect(decideReviewState([result('PASS')], { ...PLAIN, changeRequests: 1 })).toBe('PENDING');
  });

  it('waits for what loosens the judge as for any change', () => {
    const loosened = { ...PLAIN, settingsHash: 'abc' };
    const approved = { ...loosened, settingsApprovedAt: new Date() };
    expect(decideReviewState([result('PASS')], loosened)).toBe('PENDING');
    expect(decideReviewState([result('FAIL', true)], loosened)).toBe('PENDING');
    expect(decideReviewState([result('FAIL')], approved)).toBe('PENDING');
    expect(decideReviewState([result('PASS')], approved)).toBe('APPROVED');
  });

  it('opens when all of them are', () => {
    expect(decideReviewState([result('FAIL', true), result('PASS'), result('ERROR')], PLAIN)).toBe('APPROVED');
  });
});

describe('how a run ends', () => {
  it('is COMPLETED with changes and with some errors', () => {
    const { status, metadata } = decideOutcome([
      result('FAIL'),
      result('PASS', false, '/a'),
      result('ERROR', false, '/b'),
    ]);
    expect(status).toBe('COMPLETED');
    expect(metadata).toEqual({ totalPages: 3, totalScreenshots: 2, passedTests: 1, failedTests: 1, errorTests: 1 });
  });

  it('is FAILED when every result is an error', () => {
    expect(decideOutcome([result('ERROR'), result('ERROR')])).toMatchObject({
      status: 'FAILED',
      metadata: { errorTests: 2, totalScreenshots: 0, error: 'Every page ended with an error' },
    });
  });
});

describe('the verdict on a screenshot', () => {
  it.each([
    [0, 0, 'PASS'],
    [0.0001, 0, 'FAIL'],
    [5, 5, 'PASS'],
    [5.0001, 5, 'FAIL'],
    [100, 100, 'PASS'],
  ] as const)('of %d %% with a failure threshold of %d is %s', (diff, threshold, verdict) => {
    expect(judgeDiff(diff, threshold)).toBe(verdict);
  });
});
