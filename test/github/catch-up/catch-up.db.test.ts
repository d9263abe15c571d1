import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { readConfig } from '../../../src/config.ts';
import { catchUp, redeliverMissed } from '../../../src/github/catch-up/redeliver-missed.ts';
import { synchronizeRepository } from '../../../src/github/catch-up/synchronize-repository.ts';
import { parsePayload } from '../../../src/queue/job-kinds.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  deploymentDelivery,
  pullRequestDelivery,
  statusDelivery,
  type Delivery,
  type PullRequestSaid,
} from '../../support/github-deliveries.ts';
import { secondaryLimit } from '../../support/github-faults.ts';
import { startGitHubStandIn, type GitHubStandIn } from '../../support/github-stand-in.ts';
import { newWorld } from '../../support/github-world.ts';
import { handleDeliveries, takeDelivery } from '../../support/take-deliveries.ts';
import { newSuite, newViewer, worldOn, type World } from '../../support/world.ts';

const AT = { owner: 'codertocat', repo: 'hello-world' };
const PREVIEW = 'https://preview.test/';
const sha = (letter: string) => letter.repeat(40);

let database: TestDatabase;
let github: GitHubStandIn;
let world: World;
let now: Date;
let number = 0;

beforeAll(async () => {
  [database, github] = await Promise.all([createTestDatabase(), startGitHubStandIn()]);
});
afterAll(async () => {
  await github.stop();
  await database.drop();
});

beforeEach(async () => {
  const { db } = database;
  for (const table of ['webhook_deliveries', 'delivery_rounds', 'missed_deliveries']) await db(table).delete();
  for (const table of ['test_runs', 'pull_requests', 'preview_signals', 'test_suites', 'github_pauses'])
    await db(table).delete();
  await db.raw('delete from graphile_worker._private_jobs');
  Object.assign(github.world, newWorld());
  github.asked.splice(0);
  now = new Date('2026-01-05T10:00:00Z');
  number += 1;
  const { ctx } = worldOn(db);
  const config = { ...ctx.config, github: readConfig(github.environment).github };
  world = { db, ctx: { ...ctx, config, clock: { now: () => now } } };
  const suite = await newSuite(world, await newViewer(world), ['/']);
  const link = { codehost_owner: 'Codertocat', codehost_repo: 'Hello-World', codehost_installation_id: 375706 };
  await db('test_suites').where({ id: suite.id }).update(link);
});

const jobs = (task: string) =>
  world.db('graphile_worker.jobs').where({ task_identifier: task }).orderBy('id').select('key', 'run_at');
const asked = (operation: string) => github.asked.filter((each) => each.operation === operation);
const wait = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000);
};

/** As the queue does: a waiting job continues where the last one stopped. */
async function redeliver(): Promise<void> {
  const { rows } = await world.db.raw('delete from graphile_worker._private_jobs returning payload');
  const [{ payload } = { payload: {} }] = z.array(z.object({ payload: z.unknown() })).parse(rows);
  const parsed = parsePayload('redeliver-missed', payload);
  if (parsed === null) throw new Error('The queue has another job');
  await redeliverMissed(world.ctx, parsed);
}

describe('deliveries that failed', () => {
  let attempts = 0;
  /** Newest first. Status 0: there was no answer. */
  function attempt(guid: string, status_code: number, minutesAgo = 30): void {
    attempts += 1;
    const delivered_at = new Date(now.getTime() - minutesAgo * 60_000 + attempts).toISOString();
    const told = { id: attempts, guid, event: 'status', installation_id: 375706, status_code, delivered_at };
    github.world.app.deliveries.unshift(told);
  }
  const repeated = () =>
    github.world.app.redelivered.map((id) => github.world.app.deliveries.find((each) => each.id === id)?.guid);

  it('are asked for once, save those that came, came later, or are too old', async () => {
    attempt('old', 503, 25 * 60);
    for (const guid of ['refused', 'came-later', 'answered-too-late']) attempt(guid, 503);
    attempt('unanswered', 0);
    attempt('came-later', 200);
    await world.db('webhook_deliveries').insert({ id: 'answered-too-late', event: 'status' });
    for (let time = 0; time < 3; time += 1) await redeliver();
    expect(repeated()).toEqual(['refused', 'unanswered']);
  });

  it('are tried one at a time while none comes through, and then all', async () => {
    for (const guid of ['one', 'two', 'three']) attempt(guid, 502);
    await redeliver();
    expect(repeated()).toEqual(['one']);
    const [next] = await jobs('redeliver-missed');
    expect(next?.runAt.getTime()).toBeGreaterThan(now.getTime());
    attempt('one', 502, 0);
    await redeliver();
    expect(repeated()).toEqual(['one']);
    attempt('one', 200, 0);
    await redeliver();
    expect(repeated()).toEqual(['one', 'two', 'three']);
  });

  it('are found over many pages, a few at a time', async () => {
    for (let index = 0; index < 1100; index += 1) attempt(`many-${index}`, index < 12 ? 503 : 200);
    const began = now;
    const completeUntil = async () => (await world.db('delivery_rounds').first('complete_until'))?.completeUntil;
    await redeliver();
    expect([asked('apps/list-webhook-deliveries').length, repeated().length]).toEqual([10, 0]);
    expect(await completeUntil()).toEqual(new Date(began.getTime() - 24 * 3_600_000));
    wait(1);
    await redeliver();
    expect(await completeUntil()).toEqual(began);
    for (let time = 0; time < 2; time += 1) await redeliver();
    expect(new Set(repeated())).toEqual(new Set(Array.from({ length: 12 }, (_, index) => `many-${index}`)));
    expect(repeated()).toHaveLength(12);
  });

  it('wait while GitHub wants no requests, and are asked for then', async () => {
    attempt('limited', 503);
    attempt('fine', 200);
    github.fail('apps/redeliver-webhook-delivery', secondaryLimit(60));
    await redeliver();
    expect((await jobs('redeliver-missed')).map(({ runAt }) => runAt)).toEqual([new Date(now.getTime() + 60_000)]);
    wait(2);
    await redeliver();
    expect(repeated()).toEqual(['limited']);
  });
});

describe('a repository', () => {
  const runs = () =>
    world.db('test_runs').where({ run_type: 'PR' }).orderBy('created_at').select('git_head_sha as head', 'status');
  const payloadOf = (action: Parameters<typeof pullRequestDelivery>[1], said: Omit<PullRequestSaid, 'number'>) =>
    pullRequestDelivery(github.world, action, { number, ...said });

  /** GitHub's state after what happened, of which no webhook came. */
  function happened({ payload }: Delivery): void {
    const { default_branch: defaultBranch, ...repo } = payload.repository;
    const pull = structuredClone(payload.pull_request);
    Object.assign(pull.base.repo, repo, { default_branch: defaultBranch });
    github.world.repository.pulls.set(number, pull);
  }
  async function told(delivery: Delivery): Promise<void> {
    await takeDelivery(world.ctx, { id: delivery.id, name: delivery.event, payload: delivery.payload });
  }
  async function follow(what: 'everything' | 'previews' = 'everything'): Promise<void> {
    await synchronizeRepository(world.ctx, { ...AT, what });
    await handleDeliveries(world.ctx);
  }

  it('has its missed push run, once, when the webhook comes after all', async () => {
    const opened = payloadOf('opened', { headSha: sha('a') });
    const pushed = payloadOf('synchronize', { headSha: sha('b'), before: sha('a'), after: 60 });
    await told(opened);
    happened(pushed);
    await follow();
    await told(pushed);
    wait(10);
    await follow();
    expect(await runs()).toEqual([
      { head: sha('a'), status: 'CANCELLED' },
      { head: sha('b'), status: 'PENDING' },
    ]);
    expect(github.mistakes).toEqual([]);
  });

  it('has a pull request run whose opening was missed, and one of before the App not', async () => {
    happened(payloadOf('opened', { headSha: sha('a') }));
    const installation = { installation_id: 375706, account_login: 'Codertocat', created_at: '2026-01-05T09:30:00Z' };
    await world.db('code_host_installations').insert(installation);
    await follow();
    expect(await runs()).toEqual([]);
    await world.db('code_host_installations').delete();
    await follow();
    expect(await runs()).toEqual([{ head: sha('a'), status: 'PENDING' }]);
  });

  it('has a missed merge promoted, once, when the webhook comes after all', async () => {
    await told(payloadOf('opened', { headSha: sha('a') }));
    const merged = payloadOf('merged', { headSha: sha('a'), after: 60, mergeCommitSha: sha('f') });
    happened(merged);
    await follow();
    await told(merged);
    const [pull] = await world.db('pull_requests').select('state', 'merge_commit_sha');
    expect(pull).toEqual({ state: 'MERGED', mergeCommitSha: sha('f') });
    expect((await jobs('promote-pull-request')).map(({ key }) => key)).toEqual([
      `promote/codertocat/hello-world/${number}`,
    ]);
  });

  it('has a push run that was merged before anything was told of it', async () => {
    await told(payloadOf('opened', { headSha: sha('a') }));
    happened(payloadOf('merged', { headSha: sha('b'), after: 60, mergeCommitSha: sha('f') }));
    await follow();
    expect(await runs()).toEqual([
      { head: sha('a'), status: 'CANCELLED' },
      { head: sha('b'), status: 'PENDING' },
    ]);
    expect(await jobs('promote-pull-request')).toHaveLength(1);
  });

  it('has the missed end of a pull request cancel its run', async () => {
    await told(payloadOf('opened', { headSha: sha('a') }));
    happened(payloadOf('closed', { headSha: sha('a'), after: 60 }));
    await follow();
    expect(await runs()).toEqual([{ head: sha('a'), status: 'CANCELLED' }]);
  });

  it('has what was missed of a preview heard, of every kind, and the run look for it once', async () => {
    await told(payloadOf('opened', { headSha: sha('a') }));
    const deployed = deploymentDelivery(github.world, { sha: sha('a'), url: PREVIEW });
    const { deployment, deployment_status: status } = deployed.payload;
    const merge = { ...deployment, id: 99, sha: sha('c'), ref: `refs/pull/${number}/merge` };
    github.world.repository.deployments = [
      { deployment, statuses: [{ ...status, id: 1, state: 'pending' }, status] },
      { deployment: merge, statuses: [{ ...status, id: 77 }] },
    ];
    const { payload } = statusDelivery(github.world, { sha: sha('a'), url: PREVIEW });
    github.world.repository.statuses.set(sha('a'), [payload]);
    const check = { id: 5, head_sha: sha('a'), name: 'Preview', status: 'completed', conclusion: 'success' };
    github.world.repository.otherChecks = [check];
    await world.db.raw('delete from graphile_worker._private_jobs');
    await follow();
    const seen = () => world.db('preview_signals').orderBy('source').select('head_sha as head', 'source', 'state');
    const heard = [
      { head: sha('a'), source: 'CHECK', state: 'READY' },
      { head: sha('a'), source: 'DEPLOYMENT', state: 'READY' },
      { head: sha('c'), source: 'DEPLOYMENT', state: 'READY' },
      { head: sha('a'), source: 'STATUS', state: 'READY' },
    ];
    expect(await seen()).toEqual(heard);
    expect([(await jobs('find-preview')).length, (await jobs('place-merge-deployment')).length]).toEqual([1, 1]);
    await world.db.raw('delete from graphile_worker._private_jobs');
    await told({ ...deployed, id: randomUUID() });
    wait(10);
    await follow();
    expect(await runs()).toHaveLength(1);
    expect(await seen()).toEqual(heard);
  });

  it('is asked for its previews only', async () => {
    await told(payloadOf('opened', { headSha: sha('a') }));
    happened(payloadOf('synchronize', { headSha: sha('b'), before: sha('a'), after: 60 }));
    await follow('previews');
    expect([asked('pulls/list').length, asked('repos/list-deployments').length]).toEqual([0, 2]);
    expect(await runs()).toEqual([{ head: sha('a'), status: 'PENDING' }]);
  });

  it('is read over as many pages as it takes', async () => {
    for (let each = 1; each <= 310; each += 1) {
      number = 1000 + each;
      happened(payloadOf('opened', { headSha: each.toString(16).padStart(40, '0'), after: each }));
    }
    await follow();
    const [found] = await world.db('pull_requests').count({ pulls: '*' });
    expect([asked('pulls/list').length, found]).toEqual([4, { pulls: 310 }]);
  });

  it('is synchronized as far as GitHub lets us read it, and when it wants requests again', async () => {
    await told(payloadOf('opened', { headSha: sha('a') }));
    const refused = { kind: 'answer', status: 403, headers: {}, message: 'Resource not accessible by integration' };
    github.fail('repos/list-deployments', { ...refused, kind: 'answer' });
    await follow();
    github.fail('pulls/list', { ...refused, kind: 'answer' });
    await follow();
    expect(await jobs('synchronize-repository')).toEqual([]);
    github.fail('pulls/list', secondaryLimit(60));
    await follow();
    expect(await jobs('synchronize-repository')).toHaveLength(1);
  });
});

it('deliveries that failed are asked for every two minutes, and a job that waits is left as it is', async () => {
  for (let time = 0; time < 2; time += 1) await catchUp(world.ctx);
  const keys = async () => (await jobs('redeliver-missed')).map(({ key }) => key);
  expect(await keys()).toEqual(['redeliver-missed']);
  await redeliver();
  await world.db.raw('delete from graphile_worker._private_jobs');
  await catchUp(world.ctx);
  expect(await keys()).toEqual([]);
  wait(3);
  await catchUp(world.ctx);
  expect(await keys()).toEqual(['redeliver-missed']);
});

it('deliveries that failed are asked for when the clock was set back since they last were', async () => {
  await catchUp(world.ctx);
  await redeliver();
  await world.db.raw('delete from graphile_worker._private_jobs');
  wait(-180);
  await catchUp(world.ctx);
  expect(await jobs('redeliver-missed')).toHaveLength(1);
});
