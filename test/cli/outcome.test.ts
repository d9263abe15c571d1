import { expect, it } from '@jest/globals';
import { describeRun, exitCode, type RunState } from '../../src/cli/outcome.ts';

const run = (reviewState: RunState['reviewState'], errorTests: number): RunState => ({
  id: 'r',
  testSuiteId: 's',
  status: 'COMPLETED',
  reviewState,
  metadata: { totalScreenshots: 3, failedTests: 1, errorTests },
});

it.each([
  ['NOT_REQUIRED', 0, 0, 'nothing to review (3 screenshots, 1 different, 0 errors)'],
  ['PENDING', 0, 1, 'changes await review (3 screenshots, 1 different, 0 errors)'],
  ['NOT_REQUIRED', 1, 2, 'some screenshots failed (3 screenshots, 1 different, 1 error)'],
  ['PENDING', 2, 2, 'some screenshots failed, and changes await review (3 screenshots, 1 different, 2 errors)'],
  ['APPROVED', 1, 2, 'some screenshots failed, and all changes are approved (3 screenshots, 1 different, 1 error)'],
] as const)('a run that is %s with %i errors ends with code %i, and says so', (state, errors, code, words) => {
  const ended = run(state, errors);
  expect([exitCode(ended), describeRun(ended)]).toEqual([code, words]);
});
