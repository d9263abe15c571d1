import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { judgeMergeGroup } from '../../../src/github/checks/judge-merge-group.ts';
import { tellPullRequest } from '../../../src/github/checks/tell-pull-request.ts';
import { changePullRequest, dropMergeGroup, keepMergeGroup } from '../../../src/pull-requests/pull-request-store.ts';
import type { SuiteForViewer } from '../../../src/suites/suite.ts';
import { createTestDatabase } from '../../support/database.ts';
import { approveRun, undoApproval, updateSuite } from '../../support/requests.ts';
import { nock, stubHttp } from '../../support/stub-http.ts';
import { newViewer, type World } from '../../support/world.ts';
import * as fixture from '../check-world.ts';

stubHttp();

let world: World;
let owner: Viewer;
let suite: SuiteForViewer;

const database = await createTestDatabase();
afterAll(() => database.drop());

beforeEach(async () => {
  world = fixture.connectedWorld(database.db);
  owner = await newViewer(world);
  suite = await fixture.linkedSuite(world, owner, ['/a']);
  fixture.letIn();
});
afterEach(async () => {
  fixture.leaveNothing();
  await fixture.unlink(world, suite);
});

const headSha = 'd'.repeat(40);
let installations = 5_000;

type Made = Parameters<typeof fixture.expectListed>[1];

/** `made`: the suite's checks that GitHub lists for the head. */
function judge(number: number, made: Made = [], base = 'main', head = headSha): Promise<void> {
  fixture.expectListed('Pixelgate', made, head);
  const headRef = `refs/heads/gh-readonly-queue/${base}/pr-${number}-929f8209d40f77f4abc622a499c93a83babdbe64`;
  const installationId = (installations += 1);
  return judgeMergeGroup(world.ctx, { ...fixture.REPOSITORY, headSha: head, headRef, installationId });
}

/** The judgments that wait in the queue. */
async function takeJudgments(): Promise<Parameters<typeof judgeMergeGroup>[1][]> {
  const { rows } = await world.db.raw(
    `select payload from graphile_worker._private_jobs where key like 'merge-group/acme/site/%'`,
  );
  await world.db.raw(`select graphile_worker.remove_job(key) from graphile_worker.jobs where key like 'merge-group/%'`);
  return rows.map((row: { payload: unknown }) => row.payload);
}

let heads = 0;

/** A pull request whose run for its head ended with or without a change. */
async function pullRequest(end: 'changed' | 'same' | 'in flight') {
  const pull = await fixture.newPullRequest(world, { headSha: `${(heads += 1)}`.padEnd(40, 'c') });
  const runId = await fixture.waitingRun(world, suite, pull);
  if (end === 'in flight') return { pull, runId };
  await fixture.takeRun(world, runId);
  const settled = end === 'changed' ? fixture.changedScreenshot(suite) : fixture.sameScreenshot(suite);
  await fixture.settleRun(world, owner, runId, [settled]);
  return { pull, runId };
}

describe('judging a merge group', () => {
  it('passes on the head of the group when the gate of its pull request needs nothing', async () => {
    const { pull, runId } = await pullRequest('same');
    fixture.expectCompared('main', headSha, []);
    const told = fixture.expectCreated(601);
    await judge(pull.number);
    expect(told).toMatchObject([
      {
        name: 'Pixelgate',
        head_sha: headSha,
        status: 'completed',
        conclusion: 'success',
        details_url: `https://gate.example.com/runs/${runId}`,
      },
    ]);
  });

  it('informs when the suite does not gate its base branch', async () => {
    await fixture.tellDefaultBranch(world, 'main');
    fixture.expectCompared(encodeURIComponent('release/4.x'), headSha, []);
    const told = fixture.expectCreated(609);
    await judge(99_999, [], 'release/4.x');
    const output = { title: 'Not gated: the base is release/4.x' };
    expect(told).toMatchObject([{ status: 'completed', conclusion: 'neutral', output }]);
  });

  it('fails while a pull request in it awaits approval, and passes after', async () => {
    const merged = await pullRequest('same');
    const changed = await pullRequest('changed');
    const last = await pullRequest('same');
    const commits = [
      { sha: '1'.repeat(40), message: `Squashed (#${changed.pull.number})` },
      { sha: merged.pull.headSha, message: 'A commit of a branch that is merged as it is' },
    ];
    fixture.expectCompared('main', headSha, commits);
    const failed = fixture.expectCreated(602);
    await judge(last.pull.number);
    expect(failed).toMatchObject([
      { conclusion: 'failure', output: { title: `Visual review not passed: #${changed.pull.number}` } },
    ]);
    await approveRun(world.ctx, owner, changed.runId, {});
    fixture.expectCompared('main', headSha, commits);
    const passed = fixture.expectCreated(603);
    await judge(last.pull.number);
    const numbers = [merged, changed, last].map(({ pull }) => `#${pull.number}`).join(', ');
    expect(passed).toMatchObject([{ conclusion: 'success', output: { title: `Visual review passed: ${numbers}` } }]);
  });

  it('is judged again while it waits when the approval of a pull request in it is undone', async () => {
    const changed = await pullRequest('changed');
    await approveRun(world.ctx, owner, changed.runId, {});
    const last = await pullRequest('same');
    const commits = [{ sha: changed.pull.headSha, message: 'A commit' }];
    fixture.expectCompared('main', headSha, commits);
    const passed = fixture.expectCreated(612);
    await judge(last.pull.number);
    expect(passed).toMatchObject([{ conclusion: 'success' }]);
    await undoApproval(world.ctx, owner, changed.runId, {});
    await tellPullRequest(world.ctx, changed.pull, async () => true);
    fixture.expectCompared('main', headSha, commits);
    fixture.expectListed('Pixelgate', [{ id: 612, external_id: `merge-group/${headSha}` }], headSha);
    const failed = fixture.expectUpdated(612);
    for (const judgment of await takeJudgments()) await judgeMergeGroup(world.ctx, judgment);
    expect(failed).toMatchObject([
      { conclusion: 'failure', output: { title: `Visual review not passed: #${changed.pull.number}` } },
    ]);
  });

  it('is judged again while it waits, and so are the groups behind it that contain its pull requests', async () => {
    const first = await pullRequest('same');
    const last = await pullRequest('same');
    const behind = 'b'.repeat(40);
    fixture.expectCompared('main', headSha, []);
    fixture.expectCreated(613);
    await judge(first.pull.number);
    fixture.expectCompared('main', behind, [{ sha: first.pull.headSha, message: 'A commit' }]);
    fixture.expectCreated(614);
    await judge(last.pull.number, [], 'main', behind);
    await tellPullRequest(world.ctx, first.pull, async () => true);
    expect((await takeJudgments()).map((each) => each.headSha).toSorted()).toEqual([behind, headSha]);
    await tellPullRequest(world.ctx, last.pull, async () => true);
    expect((await takeJudgments()).map((each) => each.headSha)).toEqual([behind]);
  });

  it('is not judged again once it is destroyed, or its pull request is closed', async () => {
    const { pull } = await pullRequest('same');
    const tell = async () => tellPullRequest(world.ctx, pull, async () => true);
    const group = { ...fixture.REPOSITORY, headSha, headRef: 'refs/heads/gh-readonly-queue/main/pr-1-abc' };
    await keepMergeGroup(world.db, { ...group, numbers: [pull.number] }, pull.number);
    await tell();
    expect(await takeJudgments()).toHaveLength(1);
    await dropMergeGroup(world.db, { ...group, headSha: 'e'.repeat(40) });
    await changePullRequest(world.db, { ...pull, state: 'CLOSED' });
    await tell();
    expect(await takeJudgments()).toEqual([]);
    await changePullRequest(world.db, pull);
    await dropMergeGroup(world.db, group);
    await tell();
    expect(await takeJudgments()).toEqual([]);
  });

  it('fails for a pull request that more than a page of commits come before', async () => {
    const changed = await pullRequest('changed');
    const last = await pullRequest('same');
    const others = Array.from({ length: 260 }, (_, at) => ({
      sha: String(at).padEnd(40, 'e'),
      message: 'One of many',
    }));
    const merge = { sha: '1'.repeat(40), message: `Merge pull request #${changed.pull.number} from octo-org/many` };
    fixture.expectCompared('main', headSha, [...others, merge]);
    const told = fixture.expectCreated(610);
    await judge(last.pull.number);
    expect(told).toMatchObject([
      { conclusion: 'failure', output: { title: `Visual review not passed: #${changed.pull.number}` } },
    ]);
  });

  it('fails for a pull request that is in flight, or that nobody has seen', async () => {
    const { pull } = await pullRequest('in flight');
    for (const number of [pull.number, 99_999]) {
      fixture.expectCompared('main', headSha, []);
      const told = fixture.expectCreated(604);
      await judge(number);
      expect(told).toMatchObject([{ conclusion: 'failure' }]);
    }
  });

  it('has a check for every suite of the repository', async () => {
    const { pull } = await pullRequest('same');
    const other = await fixture.linkedSuite(world, owner, ['/b']);
    fixture.expectCompared('main', headSha, []);
    fixture.expectListed('Pixelgate / Site', [], headSha);
    const [one, two] = [fixture.expectCreated(605), fixture.expectCreated(606)];
    await judge(pull.number);
    expect([one, two].flat().map((told) => [told['name'], told['conclusion']])).toEqual([
      ['Pixelgate', 'success'],
      ['Pixelgate / Site', 'failure'],
    ]);
    await fixture.unlink(world, other);
  });

  it('lets the check over all suites pass without a suite that was linked after the last push, as on the pull request', async () => {
    const changed = await pullRequest('changed');
    await approveRun(world.ctx, owner, changed.runId, {});
    const other = await fixture.linkedSuite(world, owner, ['/b']);
    await updateSuite(world.ctx, owner, other.id, { config: { summaryCheck: true } });
    const judgeAll = async (number: number) => {
      const told = [615, 616, 617].map((id) => fixture.expectCreated(id));
      for (const suffix of [' / Site', ' / Site (2)']) fixture.expectListed(`Pixelgate${suffix}`, [], headSha);
      fixture.expectCompared('main', headSha, []);
      await judge(number);
      return told.flat().map((check) => [check['name'], check['conclusion']]);
    };
    expect(await judgeAll(changed.pull.number)).toEqual([
      ['Pixelgate / Site', 'success'],
      ['Pixelgate / Site (2)', 'failure'],
      ['Pixelgate', 'success'],
    ]);
    expect((await judgeAll(99_999)).at(-1)).toEqual(['Pixelgate', 'failure']);
    await fixture.unlink(world, other);
  });

  it('judges by the name of the branch where GitHub compares nothing', async () => {
    const { pull } = await pullRequest('same');
    nock('http://github.test')
      .get(/\/compare\//)
      .reply(404, { message: 'Not Found' });
    const told = fixture.expectCreated(607);
    await judge(pull.number);
    expect(told).toMatchObject([{ conclusion: 'success' }]);
  });

  it('makes no second check where it goes on after GitHub asked to wait', async () => {
    const { pull } = await pullRequest('same');
    const other = await fixture.linkedSuite(world, owner, ['/b']);
    fixture.expectCompared('main', headSha, []);
    fixture.expectListed('Pixelgate / Site', [], headSha);
    fixture.expectCreated(608);
    fixture.expectCreated(0, { status: 429, headers: { 'retry-after': '600' }, body: { message: 'Wait' } });
    await judge(pull.number);
    // The queue's next job for the group.
    fixture.expectCompared('main', headSha, []);
    fixture.expectListed('Pixelgate / Site', [], headSha);
    const [updated, created] = [fixture.expectUpdated(608), fixture.expectCreated(611)];
    await judge(pull.number, [{ id: 608, external_id: `merge-group/${headSha}` }]);
    expect(updated).toMatchObject([{ conclusion: 'success' }]);
    expect(created).toMatchObject([{ name: 'Pixelgate / Site' }]);
    await fixture.unlink(world, other);
  });

  it('tries again after a fault, and ends quietly when the group is gone', async () => {
    const { pull } = await pullRequest('same');
    fixture.expectCompared('main', headSha, []);
    fixture.expectCreated(0, { status: 500, body: { message: 'Server Error' } });
    await expect(judge(pull.number)).rejects.toThrow('Server Error');
    fixture.expectCompared('main', headSha, []);
    fixture.expectCreated(0, { status: 422, body: { message: 'No commit found for SHA' } });
    await judge(pull.number);
  });
});
