import { describe, expect, it } from '@jest/globals';
import { outcomeOf } from '../../src/runs/outcome.ts';
import { reviewStateOf } from '../../src/runs/review-state.ts';
import type { ResultStatus } from '../../src/runs/result.ts';
import { verdictOf } from '../../src/runs/result.ts';

const result = (status: ResultStatus, approved = false, path = '/') => ({
  status,
  approved,
  path,
  currentFile: status === 'ERROR' ? null : 'picture.png',
});

describe('the review gate', () => {
  it('asks for nothing without a changed result', () => {
    expect(reviewStateOf([result('PASS'), result('ERROR'), result('PASS', true)])).toBe('NOT_REQUIRED');
    expect(reviewStateOf([])).toBe('NOT_REQUIRED');
  });

  it('waits while a changed result is not approved', () => {
    expect(reviewStateOf([result('FAIL', true), result('FAIL')])).toBe('PENDING');
  });

  it('opens when all of them are', () => {
    expect(reviewStateOf([result('FAIL', true), result('PASS'), result('ERROR')])).toBe('APPROVED');
  });
});

describe('how a run ends', () => {
  it('is COMPLETED with changes and with some errors', () => {
    const { status, metadata } = outcomeOf([result('FAIL'), result('PASS', false, '/a'), result('ERROR', false, '/b')]);
    expect(status).toBe('COMPLETED');
    expect(metadata).toEqual({ totalPages: 3, totalScreenshots: 2, passedTests: 1, failedTests: 1, errorTests: 1 });
  });

  it('is FAILED when every result is an error', () => {
    expect(outcomeOf([result('ERROR'), result('ERROR')])).toMatchObject({
      status: 'FAILED',
      metadata: { errorTests: 2, totalScreenshots: 0, error: 'Every page ended with an error' },
    });
  });
});

describe('the verdict on a picture', () => {
  it.each([
    [0, 0, 'PASS'],
    [0.0001, 0, 'FAIL'],
    [5, 5, 'PASS'],
    [5.0001, 5, 'FAIL'],
    [100, 100, 'PASS'],
  ] as const)('of %d %% with a failure threshold of %d is %s', (diff, threshold, verdict) => {
    expect(verdictOf(diff, threshold)).toBe(verdict);
  });
});
