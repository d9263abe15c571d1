import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/auth/user.ts';
import { carryOverBelow } from '../../src/pull-requests/carry-over-stack.ts';
import { findPullRequest } from '../../src/pull-requests/pull-request-store.ts';
import { judgeRun } from '../../src/runs/judging/judge-runs.ts';
import type { PageResult } from '../../src/runs/results/result.ts';
import * as github from '../github/check-world.ts';
import { pullRequestEvent, sha, type PullRequestSaid } from '../github/webhooks/pull-request-payloads.ts';
import { finishOn, marked, onlyResult, runOn, worldWithStorage } from '../runs/one-page.ts';
import { someoneWaits } from '../support/database.ts';
import { approveRun, decide, undoApproval, updateSuite } from '../support/requests.ts';
import { stubHttp } from '../support/stub-http.ts';
import { takeDelivery } from '../support/take-deliveries.ts';
import { newViewer, type OwnSuite } from '../support/world.ts';

stubHttp();

let world: Awaited<ReturnType<typeof worldWithStorage>>;
let viewer: Viewer;
let suite: OwnSuite;

beforeAll(async () => {
  world = await worldWithStorage();
});
afterAll(() => world.end());

const [BEFORE, BELOW, OWN] = [marked([]), marked([20]), marked([20, 90])];

let at = 0;
let lower = 4000;

beforeEach(async () => {
  lower += 10;
  viewer = await newViewer(world);
  suite = await github.linkedSuite(world, viewer, ['/']);
  await runOn(world, { viewer, suite }, BEFORE);
});
afterEach(() => github.unlink(world, suite));

type Action = 'opened' | 'synchronize' | 'closed' | 'edited' | 'reopened';

/** An event of the pull request, at the next second of GitHub's clock; twice. */
async function say(action: Action, { number, ...said }: Partial<PullRequestSaid> & { number: number }): Promise<void> {
  at += 1;
  const event = { head: sha(`c${number}`), at, branch: `branch-${number}`, ...said, number };
  const payload = pullRequestEvent(action, event);
  Object.assign(payload.repository, { default_branch: 'main' });
  if (said.merged === true) payload.pull_request.merged_at = new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString();
  const delivery = { id: randomUUID(), name: 'pull_request', payload };
  await takeDelivery(world.ctx, delivery);
  await takeDelivery(world.ctx, delivery);
}

/** Captures the newest run of the pull request, whose preview looks like this. */
async function show(number: number, png: Buffer): Promise<PageResult> {
  const { id } = await world
    .db('test_runs')
    .where({ git_pr_number: number, status: 'PENDING' })
    .orderBy('created_at', 'desc')
    .first('id');
  await github.takeRun(world, id);
  return finishOn(world, viewer, id, png);
}

/** Runs the judgements that are queued. */
async function judge(): Promise<void> {
  const keys = (await world
    .db('graphile_worker.jobs')
    .where({ task_identifier: 'judge-run' })
    .pluck('key')) as string[];
  await world.db('graphile_worker._private_jobs').delete();
  for (const key of keys) await judgeRun(world.ctx, { runId: key.replace('judge-run/', '') });
}

const now = ({ testRunId }: PageResult) => onlyResult(world, viewer, testRunId);
const from = (number: number) => ({ status: 'FAIL', cause: 'FROM_PULL_REQUEST', causePullRequest: number });
const change = { status: 'FAIL', cause: 'CHANGE', causePullRequest: null };

const openLower = (said: Partial<PullRequestSaid> = {}) => say('opened', { number: lower, base: 'main', ...said });
const openUpper = () => say('opened', { number: lower + 1, base: `branch-${lower}` });
const push = (number: number, base: string, before: string, head: string) =>
  say('synchronize', { number, base, head: sha(`${head}${number}`), before: sha(`${before}${number}`) });

describe('a pull request that is based on another one', () => {
  it('leaves what looks the same there to that one, and follows its new screenshots', async () => {
    await openLower();
    await show(lower, BELOW);
    await openUpper();
    const result = await show(lower + 1, BELOW);
    expect(result).toMatchObject(from(lower));
    await push(lower, 'main', 'c', 'd');
    await show(lower, OWN);
    await judge();
    expect(await now(result)).toMatchObject(change);
  });

  it('follows that one to an earlier head, which a force-push brings back', async () => {
    await openLower();
    await show(lower, OWN);
    await push(lower, 'main', 'c', 'd');
    await show(lower, BELOW);
    await openUpper();
    const result = await show(lower + 1, BELOW);
    expect(result).toMatchObject(from(lower));
    await push(lower, 'main', 'd', 'c');
    await judge();
    expect(await now(result)).toMatchObject(change);
  });

  it('is still followed after a force-push has brought its earlier head back', async () => {
    await openLower();
    await show(lower, BELOW);
    await openUpper();
    const result = await show(lower + 1, BELOW);
    await push(lower + 1, `branch-${lower}`, 'c', 'd');
    await show(lower + 1, OWN);
    await push(lower + 1, `branch-${lower}`, 'd', 'c');
    await judge();
    await push(lower, 'main', 'c', 'd');
    await show(lower, OWN);
    await judge();
    expect(await now(result)).toMatchObject(change);
  });

  it('shows with its earlier head what changed below meanwhile', async () => {
    await openLower();
    await show(lower, BELOW);
    await openUpper();
    const result = await show(lower + 1, BELOW);
    await push(lower + 1, `branch-${lower}`, 'c', 'd');
    await show(lower + 1, OWN);
    await push(lower, 'main', 'c', 'd');
    await show(lower, OWN);
    await judge();
    await push(lower + 1, `branch-${lower}`, 'd', 'c');
    await judge();
    expect(await now(result)).toMatchObject(change);
  });

  it('keeps what is its own', async () => {
    await openLower();
    await show(lower, BELOW);
    await openUpper();
    expect(await show(lower + 1, OWN)).toMatchObject(change);
  });

  it('is asked itself where that one gates nothing, and no longer once it does', async () => {
    await updateSuite(world.ctx, viewer, suite.id, { config: { baseBranches: ['main', 'branch-*'] } });
    await openLower({ base: 'release' });
    await show(lower, BELOW);
    await openUpper();
    const result = await show(lower + 1, BELOW);
    expect(result).toMatchObject(change);
    await say('edited', { number: lower, base: 'main' });
    await judge();
    expect(await now(result)).toMatchObject(from(lower));
    await say('edited', { number: lower, base: 'release' });
    await judge();
    expect(await now(result)).toMatchObject(change);
  });

  it('finds it also when that one is opened, or captured, later', async () => {
    await openUpper();
    const result = await show(lower + 1, BELOW);
    expect(result).toMatchObject(change);
    await openLower();
    await show(lower, BELOW);
    await judge();
    expect(await now(result)).toMatchObject(from(lower));
  });

  it('finds it also when both are told of at the same time', async () => {
    // The repository is known.
    await say('opened', { number: lower + 5, base: 'main' });
    const deliveryOf = (said: { number: number; base: string; branch: string }) => {
      const payload = pullRequestEvent('opened', { head: sha(`c${said.number}`), at, ...said });
      Object.assign(payload.repository, { default_branch: 'main' });
      return { id: randomUUID(), name: 'pull_request', payload };
    };
    let upper: Promise<void> = Promise.resolve();
    await world.db.transaction(async (trx) => {
      const branch = `branch-${lower}`;
      await takeDelivery({ ...world.ctx, db: trx }, deliveryOf({ number: lower, base: 'main', branch }));
      upper = takeDelivery(world.ctx, deliveryOf({ number: lower + 1, base: branch, branch: 'above' }));
      await Promise.race([upper, someoneWaits(world.db)]);
    });
    await upper;
    const run = await world
      .db('test_runs')
      .where({ git_pr_number: lower + 1 })
      .first('git_base_number');
    expect(run).toEqual({ gitBaseNumber: lower });
  });

  it.each(['merged', 'closed'] as const)('stands for itself once that one is %s', async (end) => {
    await openLower();
    await show(lower, BELOW);
    await openUpper();
    const result = await show(lower + 1, BELOW);
    await world.db('graphile_worker._private_jobs').delete();
    await say('closed', { number: lower, base: 'main', merged: end === 'merged' });
    await judge();
    expect(await now(result)).toMatchObject(change);
    if (end === 'merged') return;
    await say('reopened', { number: lower, base: 'main' });
    await judge();
    expect(await now(result)).toMatchObject(from(lower));
  });

  it('stands for itself when it gets another base', async () => {
    await openLower();
    await show(lower, BELOW);
    await openUpper();
    const result = await show(lower + 1, BELOW);
    await say('edited', { number: lower + 1, base: 'main' });
    await judge();
    expect(await now(result)).toMatchObject(change);
  });

  it('leaves nothing to one that is based on its own branch', async () => {
    await updateSuite(world.ctx, viewer, suite.id, { config: { baseBranches: ['branch-*'] } });
    await say('opened', { number: lower, base: `branch-${lower + 1}` });
    const one = await show(lower, BELOW);
    await openUpper();
    const other = await show(lower + 1, BELOW);
    await judge();
    expect([await now(one), await now(other)]).toMatchObject([change, change]);
  });

  it('has nothing to do with a branch of that name in a fork', async () => {
    await openLower({ fork: true });
    await show(lower, BELOW);
    await openUpper();
    expect(await show(lower + 1, BELOW)).toMatchObject(change);
  });
});

describe('approvals of a pull request that is merged into the branch of another one', () => {
  const mergeUpper = () => say('closed', { number: lower + 1, base: `branch-${lower}`, merged: true });
  const pushLower = () =>
    say('synchronize', { number: lower, base: 'main', head: sha(`d${lower}`), before: sha(`c${lower}`) });
  const approved = { approved: true, approvedById: expect.any(String) };

  async function approveUpper(): Promise<void> {
    await openLower();
    await openUpper();
    const { testRunId } = await show(lower + 1, OWN);
    await approveRun(world.ctx, viewer, testRunId, {});
  }

  it('travel with equal screenshots', async () => {
    await approveUpper();
    await mergeUpper();
    await pushLower();
    expect(await show(lower, OWN)).toMatchObject(approved);
    await say('synchronize', { number: lower, base: 'main', head: sha(`e${lower}`), before: sha(`d${lower}`) });
    expect(await show(lower, BELOW)).toMatchObject({ approved: false });
  });

  it('travel also when the merge is told last', async () => {
    await approveUpper();
    await pushLower();
    const result = await show(lower, OWN);
    expect(result).toMatchObject({ approved: false });
    await mergeUpper();
    const merged = await findPullRequest(world.db, { ...github.REPOSITORY, number: lower + 1 });
    if (merged === null) throw new Error('The merged pull request is not known');
    await carryOverBelow(world.ctx, merged);
    await carryOverBelow(world.ctx, merged);
    expect(await now(result)).toMatchObject(approved);
    const run = await world.db('test_runs').where({ id: result.testRunId }).first('review_state');
    expect(run).toEqual({ reviewState: 'APPROVED' });
  });

  it('end where it was refused in the one that was merged, and baselines are followed again', async () => {
    await openLower();
    const below = await show(lower, BELOW);
    await approveRun(world.ctx, viewer, below.testRunId, {});
    await openUpper();
    const { id, testRunId } = await show(lower + 1, BELOW);
    await decide(world.ctx, viewer, testRunId, { decision: 'request_changes', note: 'No', resultIds: [id] });
    await mergeUpper();
    const merged = await findPullRequest(world.db, { ...github.REPOSITORY, number: lower + 1 });
    if (merged === null) throw new Error('The merged pull request is not known');
    await world.db('graphile_worker._private_jobs').delete();
    await carryOverBelow(world.ctx, merged);
    expect(await now(below)).toMatchObject({ ...change, approved: false });
    const queued = await world.db('graphile_worker.jobs').pluck('task_identifier');
    expect(queued).toContain('follow-baselines');
  });

  it('stay behind while somebody requests changes to all of it, before or after its merge', async () => {
    await approveUpper();
    const { id: upper } = await world
      .db('test_runs')
      .where({ git_pr_number: lower + 1 })
      .first('id');
    const request = { decision: 'request_changes' as const, note: 'No' };
    const undo = { decision: 'undo' as const, only: 'requests' as const };
    await decide(world.ctx, viewer, upper, request);
    await mergeUpper();
    await pushLower();
    const result = await show(lower, OWN);
    expect(result).toMatchObject({ ...change, approved: false });
    const merged = await findPullRequest(world.db, { ...github.REPOSITORY, number: lower + 1 });
    if (merged === null) throw new Error('The merged pull request is not known');
    for (const [said, expected] of [
      [undo, approved],
      [request, { approved: false }],
    ] as const) {
      await world.db('graphile_worker._private_jobs').delete();
      await decide(world.ctx, viewer, upper, said);
      expect(await world.db('graphile_worker.jobs').pluck('task_identifier')).toContain('promote-pull-request');
      await carryOverBelow(world.ctx, merged);
      expect(await now(result)).toMatchObject(expected);
    }
  });

  it('stay where they are as long as it is open', async () => {
    await approveUpper();
    await pushLower();
    expect(await show(lower, OWN)).toMatchObject({ approved: false });
  });

  it('stay behind when the branch was merged itself since', async () => {
    await approveUpper();
    await mergeUpper();
    await say('closed', { number: lower, base: 'main', merged: true });
    await say('opened', { number: lower + 2, base: 'main', branch: `branch-${lower}` });
    expect(await show(lower + 2, OWN)).toMatchObject({ approved: false });
  });
});

describe('an approval that was carried over', () => {
  it('is undone with the one that it comes from, and that gate closes', async () => {
    await openLower();
    const first = await show(lower, BELOW);
    await approveRun(world.ctx, viewer, first.testRunId, {});
    await say('synchronize', { number: lower, base: 'main', head: sha(`d${lower}`), before: sha(`c${lower}`) });
    const second = await show(lower, BELOW);
    expect(second.approved).toBe(true);
    await undoApproval(world.ctx, viewer, first.testRunId, {});
    await judge();
    expect(await now(second)).toMatchObject({ ...change, approved: false });
    const run = await world.db('test_runs').where({ id: second.testRunId }).first('review_state');
    expect(run).toEqual({ reviewState: 'PENDING' });
  });

  it('is undone where it comes from, too, in case a force-push brings that commit back', async () => {
    await openLower();
    const first = await show(lower, BELOW);
    await approveRun(world.ctx, viewer, first.testRunId, {});
    await say('synchronize', { number: lower, base: 'main', head: sha(`d${lower}`), before: sha(`c${lower}`) });
    const second = await show(lower, BELOW);
    await undoApproval(world.ctx, viewer, second.testRunId, {});
    await judge();
    await say('synchronize', { number: lower, base: 'main', head: sha(`c${lower}`), before: sha(`d${lower}`) });
    expect(await now(first)).toMatchObject({ ...change, approved: false });
    const attempts = await world
      .db('test_runs')
      .where({ git_pr_number: lower, git_head_sha: sha(`c${lower}`) })
      .select('id', 'review_state');
    expect(attempts).toEqual([{ id: first.testRunId, reviewState: 'PENDING' }]);
  });
});
