import { describe, expect, it } from '@jest/globals';
import type { Verdict } from '../../../src/pull-requests/check/check.ts';
import { decideSummaryCheck } from '../../../src/pull-requests/check/summary-check.ts';

const VERDICTS = {
  queued: { status: 'queued', conclusion: null, title: 'Waiting for a preview' },
  capturing: { status: 'in_progress', conclusion: null, title: 'Capturing: 1 of 9 screenshots' },
  passed: { status: 'completed', conclusion: 'success', title: 'No visual changes' },
  ungated: { status: 'completed', conclusion: 'neutral', title: 'Not gated' },
  changed: { status: 'completed', conclusion: 'action_required', title: '2 changes: review required' },
  failed: { status: 'completed', conclusion: 'failure', title: 'The run failed' },
  late: { status: 'completed', conclusion: 'timed_out', title: 'No preview arrived' },
  cancelled: { status: 'completed', conclusion: 'cancelled', title: 'Cancelled' },
} satisfies Record<string, Verdict>;
type Kind = keyof typeof VERDICTS;

const decide = (...kinds: Kind[]) =>
  decideSummaryCheck(
    kinds.map((kind) => ({ name: `Site ${kind}`, verdict: VERDICTS[kind], address: `https://gate.test/${kind}` })),
    'https://gate.test',
  );

describe('the check over all suites', () => {
  it.each<[Kind[], string | null, string]>([
    [['queued', 'queued'], null, 'queued'],
    [['passed', 'queued'], null, 'in_progress'],
    [['passed', 'capturing'], null, 'in_progress'],
    [['passed', 'ungated'], 'success', 'completed'],
    [['ungated', 'ungated'], 'neutral', 'completed'],
    [['changed', 'capturing'], 'action_required', 'completed'],
    [['changed', 'failed', 'passed'], 'failure', 'completed'],
    [['late', 'passed'], 'failure', 'completed'],
    [['cancelled', 'passed'], 'cancelled', 'completed'],
    [[], 'cancelled', 'completed'],
  ])('of %j has the conclusion %s', (kinds, conclusion, status) => {
    expect(decide(...kinds)).toMatchObject({ conclusion, status });
  });

  it('names the only suite that is red, and leads to it', () => {
    const { title, detailsUrl, summary } = decide('passed', 'changed');
    expect(title).toBe('Site changed: 2 changes: review required');
    expect(detailsUrl).toBe('https://gate.test/changed');
    expect(summary).toContain('| [`Site passed`](https://gate.test/passed) | passed | `No visual changes` |');
    expect(decide('failed', 'changed', 'passed').title).toBe('2 of 3 suites not passed');
  });

  it('says nothing of progress, which would be sent with each screenshot', () => {
    expect(decide('capturing', 'passed').summary).not.toContain('1 of 9');
    expect(decide('capturing', 'passed').title).toBe('Waiting for 1 of 2 suites');
  });
});
