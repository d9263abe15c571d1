import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/auth/user.ts';
import { promoteMergedRun } from '../../src/pull-requests/promote-merged-run.ts';
import type { PullRequest } from '../../src/pull-requests/pull-request.ts';
import type { Settlement } from '../../src/runs/page-jobs/compare-page.ts';
import * as github from '../github/check-world.ts';
import { sha } from '../github/webhooks/pull-request-payloads.ts';
import { COMPARED, percentBetween, storeScreenshots, withScreenshots } from '../review/screenshot-world.ts';
import { createTestDatabase } from '../support/database.ts';
import { approveRun, listVersions, promoteThroughApi, readRun } from '../support/requests.ts';
import { stubHttp } from '../support/stub-http.ts';
import { finishedRun, newViewer, screenshot, type OwnSuite } from '../support/world.ts';

stubHttp();

let owner: Viewer;
let suite: OwnSuite;
let pull: PullRequest;
let pulls = 0;

const database = await createTestDatabase();
const world = await withScreenshots(github.connectedWorld(database.db));
afterAll(async () => {
  await world.remove();
  await database.drop();
});

beforeEach(async () => {
  owner = await newViewer(world);
  suite = await github.linkedSuite(world, owner, ['/', '/a']);
  await storeScreenshots(world, suite);
  await finishedRun(world, owner, suite, () => 'a');
  pulls += 1;
  pull = await github.newPullRequest(world, { number: 600 + pulls, headSha: sha(`d${pulls}`) });
});

/** An approved run of a head with this screenshot on both pages, compared with the current baselines. */
async function approvedRun(head: string, letter: string): Promise<string> {
  const runId = await github.waitingRun(world, suite, { ...pull, headSha: sha(`${head}${pulls}`) });
  await github.takeRun(world, runId);
  const baselines = await world
    .db('baselines')
    .where({ test_suite_id: suite.id })
    .orderBy('path')
    .select<{ filePath: string; currentVersionId: string }[]>('file_path', 'current_version_id');
  const settlements = baselines.map(({ filePath, currentVersionId }): Settlement => {
    const compared = { baselineFile: filePath, baselineVersionId: currentVersionId, diffScore: COMPARED };
    return { status: 'FAIL', isNew: false, currentFile: screenshot(suite, letter), ...compared };
  });
  await github.settleRun(world, owner, runId, settlements);
  await approveRun(world.ctx, owner, runId, {});
  return runId;
}

/** Makes the screenshot the next version of a page while the pull request is open. */
async function move(path: string, letter: string): Promise<void> {
  const { run } = await finishedRun(world, owner, suite, (each) => (each === path ? letter : 'a'));
  await approveRun(world.ctx, owner, run.id, {});
}

async function newest(path: string) {
  const [version] = await listVersions(world.ctx, suite, { path });
  return version;
}

const REMARK = 'Version 2 was approved after this screenshot was compared.';

describe('what a merge promotes', () => {
  it('is scored against the version that moved meanwhile, and as compared where none did', async () => {
    const runId = await approvedRun('1', 'b');
    await move('/', 'c');
    expect(await promoteMergedRun(world.ctx, runId, pull.number)).toBe(2);
    const merged = { source: 'PR_MERGE', prNumber: pull.number, approvedBy: { id: owner.id } };
    expect(await newest('/')).toMatchObject({
      ...merged,
      version: 3,
      diffScore: percentBetween('c', 'b'),
      note: REMARK,
    });
    expect(await newest('/a')).toMatchObject({ ...merged, version: 2, diffScore: COMPARED, note: null });
  });

  it('is scored like that with an approval that was carried over a push', async () => {
    await approvedRun('2', 'b');
    const carried = await approvedRun('3', 'b');
    const { results } = await readRun(world.ctx, owner, carried, 'suite.read');
    expect(results.map(({ approved }) => approved)).toEqual([true, true]);
    await move('/', 'c');
    await promoteMergedRun(world.ctx, carried, pull.number);
    expect(await newest('/')).toMatchObject({ version: 3, diffScore: percentBetween('c', 'b'), note: REMARK });
  });

  it('is promoted once, however often and however many at once ask for it', async () => {
    const runId = await approvedRun('4', 'b');
    await move('/', 'c');
    const { results } = await readRun(world.ctx, owner, runId, 'suite.read');
    const [versions, others] = await Promise.all([
      promoteMergedRun(world.ctx, runId, pull.number),
      promoteMergedRun(world.ctx, runId, pull.number),
      promoteThroughApi(world.ctx, owner, { pageResultId: results[0]?.id }),
    ]);
    expect([1, 2]).toContain(versions + others);
    expect(await newest('/')).toMatchObject({ version: 3, diffScore: percentBetween('c', 'b'), note: REMARK });
    expect(await newest('/a')).toMatchObject({ version: 2, diffScore: COMPARED });
    world.reads.length = 0;
    expect(await promoteMergedRun(world.ctx, runId, pull.number)).toBe(0);
    expect(world.reads).toEqual([]);
  });

  it('is scored against a version of a page that two pull requests brought', async () => {
    const first = await approvedRun('5', 'b');
    const earlier = pull;
    pull = await github.newPullRequest(world, { number: 1600 + pulls, headSha: sha(`c${pulls}`) });
    const second = await approvedRun('6', 'e');
    await promoteMergedRun(world.ctx, first, earlier.number);
    await promoteMergedRun(world.ctx, second, pull.number);
    for (const path of ['/', '/a']) {
      const merged = { version: 3, prNumber: pull.number, diffScore: percentBetween('b', 'e'), note: REMARK };
      expect(await newest(path)).toMatchObject(merged);
    }
  });

  it('is nothing of a run that was cancelled, or that was deleted', async () => {
    const runId = await approvedRun('8', 'b');
    await world.db('test_runs').where({ id: runId }).update({ status: 'CANCELLED' });
    expect(await promoteMergedRun(world.ctx, runId, pull.number)).toBe(0);
    await world.db('test_runs').where({ id: runId }).delete();
    expect(await promoteMergedRun(world.ctx, runId, pull.number)).toBe(0);
    expect(await newest('/')).toMatchObject({ version: 1 });
  });

  it('has no score, and is promoted all the same, when a screenshot is gone', async () => {
    const runId = await approvedRun('7', 'b');
    await move('/', 'c');
    const ctx = { ...world.ctx, storage: { ...world.storage, get: async () => null } };
    expect(await promoteMergedRun(ctx, runId, pull.number)).toBe(2);
    expect(await newest('/')).toMatchObject({ version: 3, diffScore: null, note: REMARK });
  });
});
