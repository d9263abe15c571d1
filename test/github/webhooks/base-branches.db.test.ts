import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { decideVerdict } from '../../../src/pull-requests/check/check-verdict.ts';
import { readRunCheck } from '../../../src/pull-requests/check/run-check.ts';
import { endPullRequestRun } from '../../../src/pull-requests/end-pull-request-run.ts';
import { moveRepository } from '../../../src/pull-requests/follow-repository.ts';
import { gatePullRequests } from '../../../src/pull-requests/gate-pull-requests.ts';
import { createTestDatabase } from '../../support/database.ts';
import { approveRun, updateSuite } from '../../support/requests.ts';
import { stubHttp } from '../../support/stub-http.ts';
import { takeDelivery } from '../../support/take-deliveries.ts';
import { newViewer, type OwnSuite, type World } from '../../support/world.ts';
import * as fixture from '../check-world.ts';
import { pullRequestEvent, sha, type PullRequestSaid } from './pull-request-payloads.ts';

stubHttp();

let world: World;
let owner: Viewer;
let suite: OwnSuite;
let number = 6000;

const database = await createTestDatabase();
afterAll(() => database.drop());
beforeEach(async () => {
  number += 1;
  world = fixture.connectedWorld(database.db);
  owner = await newViewer(world);
  suite = await fixture.linkedSuite(world, owner, ['/']);
  await world.db('repositories').delete();
});
afterEach(() => fixture.unlink(world, suite));

const head = () => sha(`b${number}`);

type Said = Partial<PullRequestSaid> & { defaultBranch?: string };

type Action = 'opened' | 'edited' | 'synchronize' | 'closed' | 'reopened' | 'labeled' | 'ready_for_review';

/** As GitHub delivers it, at this second; twice, if its id is given twice. */
async function say(action: Action, said: Said, id: string = randomUUID()) {
  const { defaultBranch = 'main', ...rest } = said;
  const payload = pullRequestEvent(action, { number, head: head(), at: 0, ...rest });
  const updatedAt = new Date(Date.UTC(2026, 0, 1) + (said.at ?? 0) * 1000).toISOString();
  Object.assign(payload.repository, { default_branch: defaultBranch, updated_at: updatedAt });
  await takeDelivery(world.ctx, { id, name: 'pull_request', payload });
}

const run = async () => world.db('test_runs').where({ git_pr_number: number }).orderBy('created_at', 'desc').first();
const gate = async (id?: string) => {
  const { gitBaseBranch, gitGated } =
    id === undefined ? await run() : await world.db('test_runs').where({ id }).first();
  return [gitBaseBranch, gitGated];
};

const isQueued = async (key: string) => (await world.db('graphile_worker.jobs').where({ key }).first('id')) !== null;
const forgetJobs = () => world.db('graphile_worker._private_jobs').delete();

/** Captures the run's only page, which differs, and finishes it. */
async function finish(): Promise<string> {
  const { id } = await run();
  await fixture.takeRun(world, id);
  await fixture.settleRun(world, owner, id, [fixture.changedScreenshot(suite)]);
  return id;
}

async function verdict(id?: string) {
  const check = await readRunCheck(world.db, id ?? (await run()).id);
  if (check === null) throw new Error('The run has no check');
  const { conclusion, title } = decideVerdict(check);
  return [conclusion, title];
}

describe('a pull request', () => {
  it('is gated when it goes into the default branch, and only then', async () => {
    await say('opened', { base: 'main' });
    expect(await gate()).toEqual(['main', true]);
    number += 1;
    await say('opened', { base: 'release/4.x' });
    expect(await gate()).toEqual(['release/4.x', false]);
    expect(await verdict()).toEqual([
      'neutral',
      `Not gated (waiting for a preview deployment of ${head().slice(0, 7)})`,
    ]);
    await finish();
    expect(await verdict()).toEqual(['neutral', 'Not gated: the base is release/4.x (1 changed)']);
  });

  it('is gated by the globs of the suite', async () => {
    await updateSuite(world.ctx, owner, suite.id, { config: { baseBranches: ['release/*', '!release/old'] } });
    for (const [base, gated] of Object.entries({ 'release/4.x': true, 'release/old': false, main: false })) {
      number += 1;
      await say('opened', { base });
      expect(await gate()).toEqual([base, gated]);
    }
  });

  it('that changes its base becomes gated or not, and is judged again without screenshots', async () => {
    await say('opened', { base: 'main' });
    const id = await finish();
    expect(await verdict()).toEqual(['action_required', '1 changed, 0 new, 0 unchanged: review required']);
    await forgetJobs();
    const delivery = randomUUID();
    await say('edited', { base: 'feature/below', at: 9 }, delivery);
    await say('edited', { base: 'feature/below', at: 9 }, delivery);
    expect(await gate()).toEqual(['feature/below', false]);
    expect(await isQueued(`judge-run/${id}`)).toBe(true);
    expect(await isQueued(`check/${id}`)).toBe(true);
    expect(await world.db('graphile_worker.jobs').where({ task_identifier: 'capture-suite' })).toEqual([]);
    expect(await verdict()).toEqual(['neutral', 'Not gated: the base is feature/below (1 changed)']);
    await say('edited', { base: 'main', at: 12 });
    expect(await gate()).toEqual(['main', true]);
    // It was sent before the one that was taken already.
    await say('edited', { base: 'feature/below', at: 10 });
    expect(await gate()).toEqual(['main', true]);
  });

  it('that changes its title only is left alone', async () => {
    await say('opened', { base: 'main' });
    await finish();
    await forgetJobs();
    await say('edited', { base: 'main', at: 9 });
    expect(await world.db('graphile_worker.jobs')).toEqual([]);
    expect(await world.db('test_runs').where({ git_pr_number: number })).toHaveLength(1);
  });

  it('whose new base comes with another event, the edit still being on its way, follows it as well', async () => {
    await say('opened', { base: 'main' });
    await say('closed', { base: 'release/4.x', at: 9, merged: true });
    expect(await gate()).toEqual(['release/4.x', false]);
    await say('edited', { base: 'release/4.x', at: 5 });
    expect(await gate()).toEqual(['release/4.x', false]);
  });

  it('of whose files none counted against its old base has another run against the new one, once', async () => {
    await say('opened', { base: 'feature/below' });
    const { id } = await run();
    const end = { status: 'COMPLETED', reason: 'paths_unchanged', error: 'No changed file matches.' } as const;
    await endPullRequestRun(world.db, world.ctx, id, end);
    await say('edited', { base: 'feature/below', at: 5 });
    const runs = () => world.db('test_runs').where({ git_pr_number: number }).orderBy('git_attempt');
    expect(await runs()).toHaveLength(1);
    await say('edited', { base: 'main', at: 9 });
    await say('edited', { base: 'main', at: 9 });
    expect((await runs()).map(({ gitAttempt, status }) => [gitAttempt, status])).toEqual([
      [1, 'COMPLETED'],
      [2, 'PENDING'],
    ]);
    expect(await gate()).toEqual(['main', true]);
    expect((await verdict())[0]).toBeNull();
  });

  it.each<[string, [Action, (base: string, other: string) => Said][]]>([
    [
      'comes back',
      [
        ['synchronize', (base, head) => ({ base, head, before: sha(`b${number}`) })],
        ['edited', (_, head) => ({ base: 'main', head })],
        ['synchronize', (_, before) => ({ base: 'main', before })],
      ],
    ],
    [
      'is opened again, closed before the edit was told',
      [
        ['closed', () => ({ base: 'main' })],
        ['reopened', () => ({ base: 'main' })],
      ],
    ],
  ])('of whose files none counted has another run against the new base when its head %s', async (_, events) => {
    await say('opened', { base: 'feature/below' });
    const { id } = await run();
    const end = { status: 'COMPLETED', reason: 'paths_unchanged', error: 'No changed file matches.' } as const;
    await endPullRequestRun(world.db, world.ctx, id, end);
    const of = { git_pr_number: number, git_head_sha: head() };
    for (const [index, [action, said]] of events.entries())
      await say(action, { at: 3 * (index + 1), ...said('feature/below', sha(`e${number}`)) });
    const runs = await world.db('test_runs').where(of).orderBy('git_attempt');
    expect(runs.map(({ gitAttempt, status }) => [gitAttempt, status])).toEqual([
      [1, 'COMPLETED'],
      [2, 'PENDING'],
    ]);
  });

  it('does not end because of files that none counted against its old base, and looks again', async () => {
    await say('opened', { base: 'feature/below' });
    const { id } = await run();
    await forgetJobs();
    await say('edited', { base: 'main', at: 9 });
    expect(await isQueued(`preview/${id}`)).toBe(true);
    const end = { status: 'COMPLETED', reason: 'paths_unchanged', error: 'No changed file matches.' } as const;
    const endAsFor = (baseBranch: string) =>
      endPullRequestRun(world.db, world.ctx, id, {
        ...end,
        judgedBy: { baseBranch, suiteId: suite.id, file: null },
      });
    expect(await endAsFor('feature/below')).toBe(false);
    expect(await endAsFor('main')).toBe(true);
  });

  it.each([
    ['release/4.x', 'main', true, 'action_required'],
    ['main', 'release/4.x', false, 'neutral'],
  ])('whose first head comes back after %s became %s is gated by its base of now', async (old, base, gated, says) => {
    await say('opened', { base: old });
    const id = await finish();
    const other = sha(`e${number}`);
    await say('synchronize', { base: old, head: other, before: head(), at: 3 });
    await say('edited', { base, head: other, at: 6 });
    await say('synchronize', { base, before: other, at: 9 });
    expect(await gate(id)).toEqual([base, gated]);
    expect((await verdict(id))[0]).toBe(says);
  });

  it('that was merged with a head of before its new base is gated by that base', async () => {
    await say('opened', { base: 'main' });
    const id = await finish();
    const other = sha(`e${number}`);
    await say('synchronize', { head: other, base: 'main', before: head(), at: 3 });
    await say('edited', { head: other, base: 'release/4.x', at: 6 });
    await say('closed', { base: 'release/4.x', at: 9, merged: true });
    expect(await gate(id)).toEqual(['release/4.x', false]);
  });

  it('that is opened again follows the base branches that its suite got meanwhile', async () => {
    await say('opened', { base: 'release/4.x' });
    const id = await finish();
    await say('closed', { base: 'release/4.x', at: 3 });
    await updateSuite(world.ctx, owner, suite.id, { config: { baseBranches: ['main', 'release/*'] } });
    await gatePullRequests(world.ctx, fixture.REPOSITORY);
    await say('reopened', { base: 'release/4.x', at: 9 });
    expect(await gate(id)).toEqual(['release/4.x', true]);
    expect((await verdict(id))[0]).toBe('action_required');
  });

  it.each([
    ['feature/below', 'main', true, 'action_required'],
    ['main', 'feature/below', false, 'neutral'],
  ])('whose base %s became %s under the new name of its repository follows it', async (old, base, gated, says) => {
    await say('opened', { base: old });
    const id = await finish();
    const [at, owned] = [
      { owner: 'acme', repo: `renamed-${number}` },
      { number, headSha: head() },
    ];
    await fixture.newPullRequest(world, { ...at, ...owned, baseBranch: base, changedAt: new Date('2026-01-02') });
    const to = { ...at, installationId: null };
    await world.db.transaction(async (trx) => moveRepository(trx, world.ctx, fixture.REPOSITORY, to));
    expect(await gate(id)).toEqual([base, gated]);
    expect((await verdict(id))[0]).toBe(says);
  });

  it('in flight is judged again at its end when its base changed', async () => {
    await say('opened', { base: 'main' });
    await say('edited', { base: 'feature/below', at: 9 });
    await forgetJobs();
    const id = await finish();
    expect(await isQueued(`judge-run/${id}`)).toBe(true);
  });

  it.each<[Action, Said, Action, Said]>([
    ['edited', { draft: true }, 'labeled', { base: 'release/4.x', draft: true }],
    ['ready_for_review', {}, 'labeled', { draft: true }],
    ['edited', {}, 'ready_for_review', { base: 'release/4.x' }],
    ['edited', {}, 'synchronize', { base: 'release/4.x', before: sha('0') }],
  ])('keeps what %s said (%j) when %s of the same second (%j) comes late', async (action, first, late, last) => {
    await say('opened', { base: action === 'ready_for_review' ? 'main' : 'release/4.x', draft: true });
    await say(action, { base: 'main', at: 5, ...first });
    await say(late, { base: 'main', at: 5, ...last });
    expect((await gate())[0]).toBe('main');
    const draft = [first, last].every((said) => said.draft === true);
    expect(await world.db('pull_requests').where({ number }).first('draft')).toEqual({ draft });
  });
});

describe('a commit that is the head of two pull requests', () => {
  const verdictOf = async (of: number) => {
    const { id } = await world.db('test_runs').where({ git_pr_number: of }).first('id');
    const check = await readRunCheck(world.db, id);
    if (check === null) throw new Error('The run has no check');
    const { conclusion, title } = decideVerdict(check);
    return [conclusion, title];
  };

  it('passes only if both do, because GitHub goes by the newest check of a commit', async () => {
    const [gated, other, of] = [number, number + 1, head()];
    await say('opened', { base: 'main' });
    const id = await finish();
    await say('opened', { number: other, head: of, base: 'release/4.x' });
    const asked = ['action_required', '1 changed, 0 new, 0 unchanged: review required'];
    const shared = ['action_required', expect.stringContaining(`#${gated}, same commit: 1 changed, 0 new`)];
    expect([await verdictOf(gated), await verdictOf(other)]).toEqual([asked, shared]);
    await forgetJobs();
    await say('closed', { number: other, head: of, base: 'release/4.x', at: 9 });
    expect(await isQueued(`check/${id}`)).toBe(true);
    expect([await verdictOf(gated), await verdictOf(other)]).toEqual([asked, shared]);
    await approveRun(world.ctx, owner, id, {});
    const approved = `1 change approved by ${owner.name}`;
    expect(await verdictOf(gated)).toEqual(['success', approved]);
    expect(await verdictOf(other)).toEqual(['success', `#${gated}, same commit: ${approved}`]);
    number = other;
  });
});

describe('open pull requests', () => {
  const follow = () => gatePullRequests(world.ctx, fixture.REPOSITORY);

  it('follow the default branch of their repository, whatever comes late', async () => {
    await say('opened', { base: 'trunk', at: 5 });
    expect(await gate()).toEqual(['trunk', false]);
    const repository = { full_name: 'Acme/Site', default_branch: 'trunk', updated_at: '2026-01-01T00:00:09Z' };
    const payload = { action: 'edited', repository, changes: { default_branch: { from: 'main' } } };
    await takeDelivery(world.ctx, { id: randomUUID(), name: 'repository', payload });
    expect(await isQueued('gate/acme/site')).toBe(true);
    await follow();
    expect(await gate()).toEqual(['trunk', true]);
    await say('edited', { base: 'trunk', at: 7, defaultBranch: 'main' });
    await follow();
    expect(await gate()).toEqual(['trunk', true]);
  });

  it('stay gated while their base branch is renamed, until GitHub tells what each is based on', async () => {
    await say('opened', { base: 'main' });
    const id = await finish();
    const repository = { full_name: 'Acme/Site', default_branch: 'renamed', updated_at: '2026-01-01T00:00:09Z' };
    const payload = { action: 'edited', repository, changes: { default_branch: { from: 'main' } } };
    await takeDelivery(world.ctx, { id: randomUUID(), name: 'repository', payload });
    await follow();
    expect(await gate(id)).toEqual(['renamed', true]);
    expect(await isQueued('synchronize/acme/site/everything')).toBe(true);
    await say('edited', { base: 'main', at: 10, defaultBranch: 'renamed' });
    expect(await gate(id)).toEqual(['main', false]);
  });

  it('follow the base branches that their suite got while it was not linked', async () => {
    await say('opened', { base: 'release/4.x' });
    await updateSuite(world.ctx, owner, suite.id, { codehost: null });
    await updateSuite(world.ctx, owner, suite.id, { config: { baseBranches: ['main', 'release/*'] } });
    await forgetJobs();
    const codehost = { ...fixture.REPOSITORY, installationId: 12 };
    await updateSuite(world.ctx, owner, suite.id, { codehost }, { confirmLink: async () => null });
    expect(await isQueued('gate/acme/site')).toBe(true);
  });

  it('follow the base branches of their suite', async () => {
    await say('opened', { base: 'release/4.x' });
    await updateSuite(world.ctx, owner, suite.id, { config: { baseBranches: ['main', 'release/*'] } });
    expect(await isQueued('gate/acme/site')).toBe(true);
    await follow();
    expect(await gate()).toEqual(['release/4.x', true]);
  });
});
