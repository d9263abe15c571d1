import { expect, it } from '@jest/globals';
import { describeRun, exitCode, forTerminal, type RunState } from '../../src/cli/outcome.ts';

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

it('writes the control characters in a text as their codes, which JSON reads back', () => {
  expect(forTerminal('Zug 東\n\tfailed')).toBe('Zug 東\n\tfailed');
  expect(forTerminal('\u001b]0;owned\u0007 \r\u009b2J')).toBe(String.raw`\u001b]0;owned\u0007 \u000d\u009b2J`);
  const said = { error: '\u001b[2J\u009b2J' };
  expect(JSON.parse(forTerminal(JSON.stringify(said)))).toEqual(said);
});
