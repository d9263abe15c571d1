import { describe, expect, it } from '@jest/globals';
import { parseMetric } from '../../src/queue/metric.ts';

describe('parseMetric', () => {
  const message = { type: 'metric', name: 'jobs', labels: { job: 'capture-suite', outcome: 'done' }, value: 1 };

  it('takes what a worker of this version posts', () => {
    expect(parseMetric(message)).toEqual(message);
  });

  it.each([
    ['an unknown name', { ...message, name: 'jubs' }],
    ['a label that is missing', { ...message, labels: { job: 'capture-suite' } }],
    ['a value that is not a number', { ...message, value: '1' }],
    ['another message', 'cancelled'],
  ])('is null for %s', (_what, other) => {
    expect(parseMetric(other)).toBeNull();
  });
});
