import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { promoteMergedRun } from '../../../src/pull-requests/promote-merged-run.ts';
import type { PullRequest } from '../../../src/pull-requests/pull-request.ts';
import * as github from '../../github/check-world.ts';
import { sha } from '../../github/webhooks/pull-request-payloads.ts';
import { createTestDatabase } from '../../support/database.ts';
import {
  approveRun,
  listReviewRows,
  listVersions,
  promoteThroughApi,
  readLogs,
  readRun,
  readRunOverview,
  shareSuite,
  undoApproval,
} from '../../support/requests.ts';
import { stubHttp } from '../../support/stub-http.ts';
import { finishedRun, newViewer, type OwnSuite } from '../../support/world.ts';
import { storeScreenshots, withScreenshots } from '../screenshot-world.ts';

stubHttp();

let owner: Viewer;
let suite: OwnSuite;
let pull: PullRequest;
let pulls = 0;

const database = await createTestDatabase();
const world = github.connectedWorld(database.db);
afterAll(() => database.drop());

beforeEach(async () => {
  owner = await newViewer(world);
  suite = await github.linkedSuite(world, owner, ['/', '/a']);
  pulls += 1;
  pull = await github.newPullRequest(world, { number: 700 + pulls, headSha: sha(`e${pulls}`) });
});

/** A finished run of a head with the two named screenshots, both changed. */
async function runOf(head: string, screenshots: [string, string]): Promise<string> {
  const runId = await github.waitingRun(world, suite, { ...pull, headSha: sha(`${head}${pulls}`) });
  await github.takeRun(world, runId);
  const settlements = screenshots.map((name) => github.changedScreenshot(suite, name));
  await github.settleRun(world, owner, runId, settlements);
  return runId;
}

const resultIdsOf = async (runId: string) =>
  (await readRun(world.ctx, owner, runId, 'suite.read')).results.map((result) => result.id);

/** Everything that an undo could change. */
async function stateOf(runId: string) {
  const { run, results } = await readRun(world.ctx, owner, runId, 'suite.read');
  return { run, results, logs: await readLogs(world.ctx, owner, runId) };
}

const merge = () => github.changePullRequest(world, { ...pull, state: 'MERGED', mergeCommitSha: sha('feed') });
const promoted = { kind: 'conflict', details: { code: 'promoted' } };

describe('undoing an approval', () => {
  it('takes it back, closes the gate again and says who did it', async () => {
    const runId = await runOf('1', ['b', 'c']);
    await approveRun(world.ctx, owner, runId, {});
    expect(await readRunOverview(world.ctx, owner, runId)).toMatchObject({ undoable: 2, unapproved: 0 });
    await world.db.raw('delete from graphile_worker._private_jobs');
    expect(await undoApproval(world.ctx, owner, runId, {})).toMatchObject({ undone: 2 });
    const { run, results, logs } = await stateOf(runId);
    expect(run.reviewState).toBe('PENDING');
    for (const result of results) {
      expect(result).toMatchObject({ approved: false, approvedById: null, approvedAt: null });
    }
    expect(logs.at(-1)).toMatchObject({
      type: 'SYSTEM',
      message: `2 approvals undone by ${owner.name}`,
      metadata: { undoneById: owner.id, results: 2, reviewState: 'PENDING' },
    });
    const jobs = await world.db('graphile_worker.jobs').orderBy('key').pluck('key');
    expect(jobs).toEqual([
      `check/${runId}`,
      `follow-baselines/${suite.id}`,
      expect.stringMatching(/^tell-event\/\d+$/),
    ]);
    expect(await readRunOverview(world.ctx, owner, runId)).toMatchObject({ undoable: 0, unapproved: 2 });
  });

  it('takes only what is named', async () => {
    const runId = await runOf('2', ['b', 'c']);
    await approveRun(world.ctx, owner, runId, {});
    const [first = ''] = await resultIdsOf(runId);
    expect(await undoApproval(world.ctx, owner, runId, { resultIds: [first] })).toMatchObject({ undone: 1 });
    const { run, results } = await stateOf(runId);
    expect([run.reviewState, ...results.map((result) => result.approved)]).toEqual(['PENDING', false, true]);
  });

  it('is not asked twice for the same, and changes nothing where nothing is approved', async () => {
    const runId = await runOf('3', ['b', 'c']);
    const before = await stateOf(runId);
    expect(await undoApproval(world.ctx, owner, runId, {})).toMatchObject({ undone: 0 });
    expect(await undoApproval(world.ctx, owner, runId, { resultIds: await resultIdsOf(runId) })).toMatchObject({
      undone: 0,
    });
    expect(await stateOf(runId)).toEqual(before);
  });

  it('is one of two at the same moment', async () => {
    const runId = await runOf('4', ['b', 'c']);
    await approveRun(world.ctx, owner, runId, {});
    const answers = await Promise.all([1, 2, 3].map(() => undoApproval(world.ctx, owner, runId, {})));
    expect(answers.map(({ undone }) => undone).sort((one, other) => one - other)).toEqual([0, 0, 2]);
  });

  it('leaves nothing to promote when the pull request is merged then', async () => {
    const runId = await runOf('5', ['b', 'c']);
    await approveRun(world.ctx, owner, runId, {});
    const [first = ''] = await resultIdsOf(runId);
    await undoApproval(world.ctx, owner, runId, { resultIds: [first] });
    await merge();
    expect(await promoteMergedRun(world.ctx, runId, pull.number)).toBe(1);
    expect((await listVersions(world.ctx, suite, {})).map(({ path }) => path)).toEqual(['/a']);
  });
});

describe('an approval of a pull request that went into a branch that is not gated', () => {
  it('is undone after its merge as well', async () => {
    const runId = await runOf('9', ['b', 'c']);
    await world.db('test_runs').where({ id: runId }).update({ git_gated: false });
    await approveRun(world.ctx, owner, runId, {});
    await merge();
    expect(await undoApproval(world.ctx, owner, runId, {})).toMatchObject({ undone: 2 });
  });
});

/** Version, source and what it restores, oldest first, of one page. */
async function historyOf(path: string) {
  const versions = await listVersions(world.ctx, suite, { path });
  return versions.map(({ version, source, restoredVersion }) => [version, source, restoredVersion]).toReversed();
}

describe('an approval that is a baseline version by now', () => {
  it('is undone by adding the version before, which says what it restores, and is made again by approving again', async () => {
    await finishedRun(world, owner, suite, () => 'a');
    const { run } = await finishedRun(world, owner, suite, () => 'b');
    await approveRun(world.ctx, owner, run.id, {});
    expect(await readRunOverview(world.ctx, owner, run.id)).toMatchObject({ undoable: 2 });
    expect(await undoApproval(world.ctx, owner, run.id, {})).toEqual({ undone: 2, withdrawn: 0, restored: 2 });
    const before = [
      [1, 'INITIAL', null],
      [2, 'MANUAL', null],
      [3, 'API', 1],
    ];
    expect(await historyOf('/a')).toEqual(before);
    expect((await stateOf(run.id)).run.reviewState).toBe('PENDING');
    await approveRun(world.ctx, owner, run.id, {});
    expect(await historyOf('/a')).toEqual([...before, [4, 'MANUAL', null]]);
    expect(await undoApproval(world.ctx, owner, run.id, {})).toMatchObject({ restored: 2 });
  });

  it('stays once a later run was compared with it', async () => {
    await finishedRun(world, owner, suite, () => 'a');
    const { run } = await finishedRun(world, owner, suite, () => 'b');
    await approveRun(world.ctx, owner, run.id, {});
    await finishedRun(world, owner, suite, () => 'c');
    const before = await stateOf(run.id);
    await expect(undoApproval(world.ctx, owner, run.id, {})).rejects.toMatchObject(promoted);
    await expect(undoApproval(world.ctx, owner, run.id, {})).rejects.toThrow('Restore an earlier version');
    expect(await readRunOverview(world.ctx, owner, run.id)).toMatchObject({ undoable: 0 });
    expect(await stateOf(run.id)).toEqual(before);
  });

  it('is undone after the merge of its pull request as well, promoted or not', async () => {
    const stored = await withScreenshots(world);
    await storeScreenshots(stored, suite);
    await finishedRun(world, owner, suite, () => 'a');
    const runId = await runOf('6', ['b', 'c']);
    await approveRun(world.ctx, owner, runId, {});
    await merge();
    const [first = ''] = await resultIdsOf(runId);
    expect(await undoApproval(world.ctx, owner, runId, { resultIds: [first] })).toMatchObject({ restored: 0 });
    expect(await promoteMergedRun(stored.ctx, runId, pull.number)).toBe(1);
    expect(await undoApproval(stored.ctx, owner, runId, {})).toMatchObject({ undone: 1, restored: 1 });
    expect(await promoteMergedRun(stored.ctx, runId, pull.number)).toBe(0);
    await stored.remove();
    expect(await historyOf('/a')).toEqual([
      [1, 'INITIAL', null],
      [2, 'PR_MERGE', null],
      [3, 'API', 1],
    ]);
  });

  it('is undone in the run that was merged, and in no earlier one', async () => {
    const earlier = await runOf('1', ['b', 'c']);
    await approveRun(world.ctx, owner, earlier, {});
    await runOf('e', ['b', 'c']);
    await merge();
    await expect(undoApproval(world.ctx, owner, earlier, {})).rejects.toMatchObject(promoted);
    expect(await readRunOverview(world.ctx, owner, earlier)).toMatchObject({ approved: 2, undoable: 0 });
  });

  it('has nothing to restore when it is the first', async () => {
    const runId = await runOf('8', ['b', 'c']);
    await approveRun(world.ctx, owner, runId, {});
    const resultIds = await resultIdsOf(runId);
    await promoteThroughApi(world.ctx, owner, { pageResultId: resultIds[0] });
    await expect(undoApproval(world.ctx, owner, runId, { resultIds })).rejects.toMatchObject({
      ...promoted,
      message: expect.stringMatching(/^The approved screenshots are the first baselines/),
    });
    expect(await undoApproval(world.ctx, owner, runId, {})).toMatchObject({ undone: 1 });
    expect((await stateOf(runId)).results.map((result) => result.approved)).toEqual([true, false]);
  });
});

describe('an undo', () => {
  it('is refused to whoever may not approve, and for results of another run', async () => {
    const runId = await runOf('9', ['b', 'c']);
    const other = await runOf('10', ['d', 'e']);
    const [reader, stranger] = [await newViewer(world), await newViewer(world)];
    await shareSuite(world.ctx, owner, suite, { userId: reader.id, role: 'VIEWER' });
    await expect(undoApproval(world.ctx, reader, runId, {})).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(undoApproval(world.ctx, stranger, runId, {})).rejects.toMatchObject({ kind: 'not_found' });
    const resultIds = await resultIdsOf(other);
    await expect(undoApproval(world.ctx, owner, runId, { resultIds })).rejects.toMatchObject({ kind: 'invalid' });
  });

  it.each(['RUNNING', 'CANCELLED'])('is refused while the run is %s', async (status) => {
    const runId = await runOf('11', ['b', 'c']);
    await approveRun(world.ctx, owner, runId, {});
    await world.db('test_runs').where({ id: runId }).update({ status });
    await expect(undoApproval(world.ctx, owner, runId, {})).rejects.toMatchObject({ kind: 'conflict' });
    expect(await readRunOverview(world.ctx, owner, runId)).toMatchObject({ undoable: 0 });
  });

  it('is not made good again by a push that leaves the screenshot as it was, but by another approval', async () => {
    const earlier = await runOf('12', ['b', 'c']);
    await approveRun(world.ctx, owner, earlier, {});
    const carried = await runOf('13', ['b', 'c']);
    expect((await stateOf(carried)).run.reviewState).toBe('APPROVED');
    const [first = ''] = await resultIdsOf(carried);
    await undoApproval(world.ctx, owner, carried, { resultIds: [first] });
    const later = await runOf('14', ['b', 'c']);
    expect((await stateOf(later)).results.map((result) => result.approved)).toEqual([false, true]);
    await approveRun(world.ctx, owner, later, {});
    const last = await runOf('15', ['b', 'c']);
    expect((await stateOf(last)).run.reviewState).toBe('APPROVED');
  });
});

describe('what changed since the last approval of mine', () => {
  const since = async (viewer: Viewer, runId: string) => {
    const rows = await listReviewRows(world.ctx, viewer, runId, { sinceMine: true }, { limit: 10, offset: 0 });
    return rows.map((row) => row.path);
  };

  it('leaves out the screenshots that I approved last in earlier runs of the pull request', async () => {
    const other = await newViewer(world);
    await shareSuite(world.ctx, owner, suite, { userId: other.id, role: 'REVIEWER' });
    const earlier = await runOf('16', ['b', 'c']);
    expect(await readRunOverview(world.ctx, owner, earlier)).toMatchObject({ hasEarlierApprovalOfMine: false });
    await approveRun(world.ctx, owner, earlier, {});
    const later = await runOf('17', ['b', 'd']);
    expect(await since(owner, later)).toEqual(['/a']);
    expect(await since(other, later)).toEqual(['/', '/a']);
    expect(await readRunOverview(world.ctx, owner, later)).toMatchObject({ hasEarlierApprovalOfMine: true });
    expect(await readRunOverview(world.ctx, other, later)).toMatchObject({ hasEarlierApprovalOfMine: false });
  });

  it('has a screenshot that looks the same, but of which assistive technology hears something else', async () => {
    await approveRun(world.ctx, owner, await runOf('30', ['b', 'c']), {});
    const later = await runOf('31', ['b', 'c']);
    const row = world.db('page_results').where({ test_run_id: later, path: '/a' });
    await row.update({ heard_key: 'e'.repeat(32), approved: false, carried_over: false });
    expect(await since(owner, later)).toEqual(['/a']);
  });

  it('counts a screenshot that I approved before the last one', async () => {
    for (const [head, screenshot] of Object.entries({ 18: 'b', 19: 'c' })) {
      await approveRun(world.ctx, owner, await runOf(head, [screenshot, 'z']), {});
    }
    expect(await since(owner, await runOf('20', ['c', 'z']))).toEqual([]);
    expect(await since(owner, await runOf('21', ['b', 'z']))).toEqual(['/']);
  });

  it('knows nothing of another pull request, nor of what was undone', async () => {
    const earlier = await runOf('22', ['b', 'c']);
    await approveRun(world.ctx, owner, earlier, {});
    const number = pull.number + 500;
    const before = pull;
    pull = await github.newPullRequest(world, { number, headSha: pull.headSha });
    expect(await since(owner, await runOf('23', ['b', 'c']))).toEqual(['/', '/a']);
    pull = before;
    await undoApproval(world.ctx, owner, earlier, {});
    expect(await since(owner, await runOf('24', ['b', 'c']))).toEqual(['/', '/a']);
  });
});
