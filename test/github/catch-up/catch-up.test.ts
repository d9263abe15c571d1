import { describe, expect, it } from '@jest/globals';
import { beginOf, findMissed, readAttempts } from '../../../src/github/catch-up/missed-delivery.ts';
import { findMissedActions } from '../../../src/github/catch-up/synchronize-repository.ts';
import type { PullRequest } from '../../../src/pull-requests/pull-request.ts';

const NOW = new Date('2026-03-04T12:00:00Z');
const before = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);
const DAY = 24 * 60;

describe('a round', () => {
  it.each([
    ['the first looks back for a day', null, DAY],
    ['others overlap with the one before by five minutes', before(10), 15],
    ['the next one too when the clock was set back', before(-180), 5],
    ['after an outage it looks back as far as GitHub keeps things', before(9 * DAY), 3 * DAY],
  ])('%s', (_, completeUntil, minutes) => {
    expect(beginOf(completeUntil, NOW)).toEqual(before(minutes));
  });
});

it('a delivery was missed when no attempt of it was taken, and its newest attempt is the one to repeat', () => {
  const attempt = (id: number, guid: string, status_code: number) => ({
    id,
    guid,
    status_code,
    event: 'status',
    delivered_at: '2026-03-04T11:00:00Z',
  });
  const list = [
    attempt(6, 'c', 200),
    attempt(5, 'a', 0),
    attempt(4, 'b', 503),
    attempt(3, 'c', 502),
    attempt(2, 'a', 503),
  ];
  const missed = findMissed(readAttempts([...list, { guid: 'without a number' }]));
  expect(missed.map(({ id, guid }) => [id, guid])).toEqual([
    [5, 'a'],
    [4, 'b'],
  ]);
});

describe('of a pull request that was polled', () => {
  const known: PullRequest = {
    owner: 'acme',
    repo: 'site',
    number: 7,
    headSha: 'a',
    title: null,
    headBranch: 'topic',
    fromFork: false,
    baseBranch: 'main',
    state: 'OPEN',
    draft: false,
    mergeCommitSha: null,
    mergedAt: null,
    installationId: 1,
    changedAt: NOW,
  };
  const later = new Date(NOW.getTime() + 1000);

  it.each<[string, Partial<PullRequest> | null, Partial<PullRequest>, string[]]>([
    ['nothing new', {}, {}, []],
    ['its opening', null, {}, ['opened']],
    ['its opening and its end, which nobody saw', null, { state: 'CLOSED' }, []],
    ['a push', {}, { headSha: 'b', changedAt: later }, ['synchronize']],
    ['a push within the second', {}, { headSha: 'b' }, ['synchronize']],
    ['what a webhook has overtaken', { changedAt: later }, { headSha: 'b' }, []],
    ['a merge', {}, { state: 'MERGED', changedAt: later }, ['closed']],
    ['a push and its merge', {}, { state: 'MERGED', headSha: 'b', changedAt: later }, ['synchronize', 'closed']],
    ['a merge after its end was told', { state: 'CLOSED' }, { state: 'MERGED' }, ['closed']],
    ['a merge that is known', { state: 'MERGED' }, { state: 'MERGED', headSha: 'b', changedAt: later }, []],
    ['its end', {}, { state: 'CLOSED', changedAt: later }, ['closed']],
    ['its end that is known', { state: 'CLOSED' }, { state: 'CLOSED', changedAt: later }, []],
    ['that it is open again', { state: 'CLOSED' }, { changedAt: later }, ['reopened']],
    ['that it is a draft no more', { draft: true }, { changedAt: later }, ['ready_for_review']],
    ['that it is a draft', {}, { draft: true, changedAt: later }, ['converted_to_draft']],
    ['another base', {}, { baseBranch: 'next', changedAt: later }, ['edited']],
  ])('%s', (_, was, is, actions) => {
    expect(findMissedActions(was === null ? null : { ...known, ...was }, { ...known, ...is })).toEqual(actions);
  });
});
