import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/auth/user.ts';
import { promotePullRequest } from '../../src/github/webhooks/promote-pull-request.ts';
import { carryOverStack } from '../../src/pull-requests/carry-over-stack.ts';
import type { PullRequest } from '../../src/pull-requests/pull-request.ts';
import { finishRun } from '../../src/runs/end-run.ts';
import * as github from '../github/check-world.ts';
import { sha } from '../github/webhooks/pull-request-payloads.ts';
import { approveRun, cancelRun, decide, readRun, undoApproval } from '../support/requests.ts';
import { nock, stubHttp } from '../support/stub-http.ts';
import { newViewer } from '../support/world.ts';
import { startFaultWorld, type FaultWorld } from './fault-world.ts';
import { openPull, settledRun, type Trial } from './operations.ts';

stubHttp();

/* Different operations on one run at the same moment: whichever comes first, what is left agrees with itself. */

const ROUNDS = 30;
const LONG_MS = 600_000;

let world: FaultWorld;
let viewer: Viewer;
let trials = 0;

beforeAll(async () => {
  world = await startFaultWorld();
  viewer = await newViewer(world.sound);
});
afterAll(() => world.end());
beforeEach(() => {
  github.letIn();
  nock('http://github.test')
    .persist()
    .get(/\/contents\//)
    .reply(404, { message: 'Not Found' });
});
afterEach(() => nock.cleanAll());

type Pulled = { trial: Trial; pull: PullRequest; runId: string; merged: PullRequest };

/** A pull request that changes one page, with a run whose results are settled. */
async function settled(): Promise<Pulled> {
  trials += 1;
  const suite = await github.linkedSuite(world.sound, viewer, ['/', '/a']);
  const trial = { world: world.sound, viewer, suite, number: 80_000 + trials };
  const pull = await openPull(trial);
  const runId = await settledRun(trial, pull);
  return { trial, pull, runId, merged: { ...pull, state: 'MERGED', mergeCommitSha: sha('feed') } };
}

const finish = ({ runId }: Pulled) => finishRun(world.sound.ctx, { runId }, carryOverStack);

const gateOf = async ({ runId }: Pulled) => (await readRun(world.sound.ctx, viewer, runId, 'suite.read')).run;

/** The numbers of the versions of the changed page. */
async function versions({ trial }: Pulled): Promise<number[]> {
  const ofPage = { test_suite_id: trial.suite.id, path: '/' };
  const rows = await world.sound.db('baseline_versions').where(ofPage).orderBy('version');
  return rows.map(({ version }) => version);
}

it(
  'two finishers and a cancel end a run once',
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const pulled = await settled();
      const cancel = () => cancelRun(world.sound.ctx, viewer, pulled.runId);
      await Promise.allSettled([finish(pulled), cancel(), finish(pulled)]);
      const { status, endedAt } = await gateOf(pulled);
      expect(['COMPLETED', 'CANCELLED']).toContain(status);
      await Promise.allSettled([cancel(), finish(pulled)]);
      expect(await gateOf(pulled)).toMatchObject({ status, endedAt });
    }
    expect(await world.faults()).toEqual([]);
  },
  LONG_MS,
);

it(
  'approvals at the moment of the merge become one version',
  async () => {
    const { ctx } = world.sound;
    for (let round = 0; round < ROUNDS; round += 1) {
      const pulled = await settled();
      await finish(pulled);
      const approve = () => approveRun(ctx, viewer, pulled.runId, {});
      const merge = async () => {
        await github.changePullRequest(world.sound, pulled.merged);
        await promotePullRequest(ctx, pulled.pull);
      };
      await Promise.allSettled([approve(), merge(), approve()]);
      // Each approval queues it.
      await Promise.all([promotePullRequest(ctx, pulled.pull), promotePullRequest(ctx, pulled.pull)]);
      expect((await gateOf(pulled)).reviewState).toBe('APPROVED');
      expect(await versions(pulled)).toEqual([1, 2]);
    }
    expect(await world.faults()).toEqual([]);
  },
  LONG_MS,
);

it(
  'an undo at the moment of the promotion leaves the baseline that the gate says',
  async () => {
    const { ctx } = world.sound;
    for (let round = 0; round < ROUNDS; round += 1) {
      const pulled = await settled();
      await finish(pulled);
      await approveRun(ctx, viewer, pulled.runId, {});
      await github.changePullRequest(world.sound, pulled.merged);
      const promote = () => promotePullRequest(ctx, pulled.pull);
      await Promise.allSettled([promote(), undoApproval(ctx, viewer, pulled.runId, {}), promote()]);
      const made = await versions(pulled);
      const { reviewState } = await gateOf(pulled);
      // Nothing was promoted, or what was promoted was taken back by another version.
      expect(['PENDING', 'APPROVED']).toContain(reviewState);
      expect(reviewState === 'PENDING' ? [[1], [1, 2, 3]] : [[1, 2]]).toContainEqual(made);
    }
    expect(await world.faults()).toEqual([]);
  },
  LONG_MS,
);

it(
  'an approval and a request for changes at the same moment leave one of the two gates',
  async () => {
    const { ctx } = world.sound;
    for (let round = 0; round < ROUNDS; round += 1) {
      const pulled = await settled();
      await finish(pulled);
      const request = { decision: 'request_changes' as const, note: 'The price is wrong' };
      await Promise.allSettled([
        decide(ctx, viewer, pulled.runId, { decision: 'approve' }),
        decide(ctx, viewer, pulled.runId, request),
      ]);
      const { reviewState, changeRequests } = await gateOf(pulled);
      expect(reviewState).toBe(changeRequests > 0 ? 'PENDING' : 'APPROVED');
    }
    expect(await world.faults()).toEqual([]);
  },
  LONG_MS,
);
