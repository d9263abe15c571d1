import { describe, expect, it } from '@jest/globals';
import { isNewer, type PullRequest } from '../../src/pull-requests/pull-request.ts';

const at = (seconds: number) => new Date(1_767_225_600_000 + seconds * 1000);

const pull = (said: Partial<PullRequest> = {}): PullRequest => ({
  owner: 'acme',
  repo: 'site',
  number: 7,
  title: 'Prices',
  headSha: 'a',
  headBranch: 'feature',
  fromFork: false,
  baseBranch: 'main',
  state: 'OPEN',
  draft: false,
  mergeCommitSha: null,
  mergedAt: null,
  installationId: 12,
  changedAt: at(0),
  ...said,
});

type Told = { action: string; before?: string; isPastHead?: boolean } & Partial<PullRequest>;

const isNewerThan = (known: Partial<PullRequest>, { action, before = '', isPastHead = false, ...said }: Told) =>
  isNewer(pull(known), { action, before: before === '' ? null : before, pullRequest: pull(said) }, isPastHead);

describe('an event of a pull request', () => {
  it('is newer by its time, whatever it says', () => {
    for (const action of ['edited', 'synchronize', 'opened', 'closed', 'labeled']) {
      expect([action, isNewerThan({}, { action, headSha: 'b', changedAt: at(1) })]).toEqual([action, true]);
      expect([action, isNewerThan({}, { action, headSha: 'b', changedAt: at(-1) })]).toEqual([action, false]);
    }
  });

  it('changes nothing after the merge, which is final', () => {
    for (const action of ['edited', 'reopened', 'synchronize', 'closed']) {
      expect(isNewerThan({ state: 'MERGED' }, { action, before: 'a', changedAt: at(60) })).toBe(false);
      expect(isNewerThan({ state: 'MERGED' }, { action, state: 'MERGED', changedAt: at(60) })).toBe(false);
    }
    expect(isNewerThan({}, { action: 'closed', state: 'MERGED', changedAt: at(-60) })).toBe(true);
    expect(isNewerThan({ state: 'CLOSED' }, { action: 'closed', state: 'MERGED', changedAt: at(-60) })).toBe(true);
  });

  it('reopens what is closed, unless it is told late and the pull request was closed again', () => {
    const reopened: Told = { action: 'reopened' };
    expect(isNewerThan({ state: 'CLOSED' }, { ...reopened, changedAt: at(1) })).toBe(true);
    expect(isNewerThan({ state: 'CLOSED' }, reopened)).toBe(true);
    expect(isNewerThan({ state: 'CLOSED' }, { ...reopened, changedAt: at(-60) })).toBe(false);
  });

  it.each<[boolean, Partial<PullRequest>, Told]>([
    [false, {}, { action: 'opened', headSha: 'b' }],
    [false, {}, { action: 'opened' }],
    [true, {}, { action: 'closed', state: 'CLOSED' }],
    [true, {}, { action: 'reopened' }],
    [true, {}, { action: 'reopened', headSha: 'b', isPastHead: true }],
    [true, {}, { action: 'synchronize', before: 'a', headSha: 'b' }],
    [true, {}, { action: 'synchronize', before: 'c', headSha: 'b' }],
    [true, {}, { action: 'synchronize', before: 'a', headSha: 'b', isPastHead: true }],
    [false, {}, { action: 'synchronize', before: 'c', headSha: 'b', isPastHead: true }],
    [false, { state: 'CLOSED' }, { action: 'synchronize', before: 'a', headSha: 'b' }],
    [true, {}, { action: 'edited' }],
    [false, {}, { action: 'edited', headSha: 'b' }],
    [false, { state: 'CLOSED' }, { action: 'edited' }],
  ])('of the same second is newer (%j) than %j: %j', (newer, known, told) => {
    expect(isNewerThan(known, told)).toBe(newer);
  });
});
