import { expect, it } from '@jest/globals';
import { describeEvent } from '../../src/events/describe-event.ts';

const ADA = { kind: 'person', id: 'a', name: 'Ada', via: null, address: null } as const;

const describing = (kind: string, details: Record<string, unknown>) =>
  describeEvent({ kind, actor: ADA, details: { run: 12, ...details } });

it.each([
  [
    'review.approved',
    { results: 3, changes: 0, settings: false, note: 'ok' },
    'Ada approved 3 results of run 12: “ok”',
  ],
  ['review.approved', { results: 0, changes: 0, settings: true }, 'Ada approved the settings of run 12'],
  [
    'review.approved',
    { results: 1, changes: 2, settings: true },
    'Ada approved 1 result, 2 changes, and the settings of run 12',
  ],
  [
    'review.carried_over',
    { results: 0, settings: true },
    'Ada approved the settings of run 12 that had been approved before',
  ],
  ['review.undone', { approvals: 2, requests: 1 }, 'Ada undid 2 approvals and 1 request for changes of run 12'],
  ['review.undone', { approvals: 0, requests: 2 }, 'Ada undid 2 requests for changes of run 12'],
  [
    'review.assigned',
    { assigned: [{ name: 'Bob' }, { name: 'Cy' }], removed: [] },
    'Ada asked Bob and Cy for a review of run 12',
  ],
  ['review.assigned', { assigned: [], removed: [{ name: 'Bob' }] }, 'Ada no longer asked Bob for a review of run 12'],
  [
    'review.counted',
    { page: { path: '/%E6%9D%B1', viewport: 'desktop' } },
    'Ada counted /東 at desktop as a change of run 12',
  ],
  ['change.ignored', { path: '/%E6%9D%B1', viewport: 'desktop' }, 'Ada ignored a change of /東 at desktop'],
  [
    'schedule.missed',
    { dueAt: '2026-11-21T07:20:00.000Z', reason: 'run_in_flight' },
    'Ada missed a scheduled run at 2026-11-21 07:20 UTC (run in flight)',
  ],
  ['run.cancelled', { reason: 'pull_request_closed' }, 'Ada cancelled run 12 (pull request closed)'],
])('describes %s with %j', (kind, details, sentence) => {
  expect(describing(kind, details)).toBe(sentence);
});
