import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/auth/user.ts';
import { followBaselines } from '../../src/pull-requests/follow-baselines.ts';
import { promoteMergedRun } from '../../src/pull-requests/promote-merged-run.ts';
import type { PullRequest } from '../../src/pull-requests/pull-request.ts';
import { compareAnew } from '../../src/runs/judging/judge-runs.ts';
import { getRunFor } from '../../src/runs/read-run.ts';
import type { PageResult } from '../../src/runs/results/result.ts';
import * as github from '../github/check-world.ts';
import { sha } from '../github/webhooks/pull-request-payloads.ts';
import { finishOn, marked, onlyResult, runOn, worldWithStorage } from '../runs/one-page.ts';
import { approveRun, listVersions, readLogs, undoApproval } from '../support/requests.ts';
import { stubHttp } from '../support/stub-http.ts';
import { newViewer, type OwnSuite } from '../support/world.ts';

stubHttp();

let world: Awaited<ReturnType<typeof worldWithStorage>>;
let viewer: Viewer;
let suite: OwnSuite;
let pulls = 0;

beforeAll(async () => {
  world = await worldWithStorage();
});
afterAll(() => world.end());

const [BEFORE, AFTER, OTHER] = [marked([]), marked([20]), marked([20, 90])];

beforeEach(async () => {
  viewer = await newViewer(world);
  suite = await github.linkedSuite(world, viewer, ['/']);
  await runOn(world, { viewer, suite }, BEFORE);
});

type Opened = { pull: PullRequest; result: PageResult };

/** An open pull request with a finished run, whose preview looks like this. */
async function open(png: Buffer): Promise<Opened> {
  pulls += 1;
  const pull = await github.newPullRequest(world, { number: 7000 + pulls, headSha: sha(`f${pulls}`) });
  return { pull, result: await runOf(pull, png) };
}

async function runOf(pull: PullRequest, png: Buffer): Promise<PageResult> {
  const runId = await github.waitingRun(world, suite, pull);
  await github.takeRun(world, runId);
  return finishOn(world, viewer, runId, png);
}

/** A person approves this as the baseline, in a run of the site itself. */
async function moveTo(png: Buffer): Promise<void> {
  const { testRunId } = await runOn(world, { viewer, suite }, png);
  await approveRun(world.ctx, viewer, testRunId, {});
}

const jobKeys = async () => (await world.db('graphile_worker.jobs').whereNotNull('key').pluck('key')) as string[];

/** Runs the jobs that the move of a baseline queues. @returns the runs that were compared anew */
async function follow(): Promise<string[]> {
  expect(await jobKeys()).toContain(`follow-baselines/${suite.id}`);
  await world.db.raw('delete from graphile_worker._private_jobs');
  await followBaselines(world.ctx, { suiteId: suite.id });
  const prefix = 'compare-anew/';
  const runIds = (await jobKeys()).filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  for (const runId of runIds) await compareAnew(world.ctx, { runId });
  return runIds;
}

const now = ({ testRunId }: PageResult) => onlyResult(world, viewer, testRunId);
const gate = async ({ testRunId }: PageResult) =>
  (await getRunFor(world.ctx, viewer, testRunId, 'suite.read')).reviewState;

/** A worker that is killed when it begins the next transaction after so many. */
function diesAfter(transactions: number) {
  let begun = 0;
  const db = new Proxy(world.db, {
    get(target, name) {
      if (name === 'transaction' && (begun += 1) > transactions) throw new Error('killed');
      return Reflect.get(target, name);
    },
  });
  return { ...world.ctx, db };
}

it('begins at the end of a run of the site, which may have seeded baselines', async () => {
  await world.db.raw('delete from graphile_worker._private_jobs');
  await runOn(world, { viewer, suite }, BEFORE);
  expect(await follow()).toEqual([]);
});

describe('when a baseline moves', () => {
  it('a result of an open pull request that equals it is unchanged, and its check follows', async () => {
    const { result } = await open(AFTER);
    expect(await gate(result)).toBe('PENDING');
    await moveTo(AFTER);
    expect(await follow()).toEqual([result.testRunId]);
    expect(await now(result)).toMatchObject({
      status: 'PASS',
      cause: null,
      diffScore: 0,
      diffFile: null,
      diffRegions: [],
      baselineFile: result.currentFile,
      currentFile: result.currentFile,
    });
    expect(await gate(result)).toBe('NOT_REQUIRED');
    expect(await jobKeys()).toContain(`check/${result.testRunId}`);
    const lines = await readLogs(world.ctx, viewer, result.testRunId);
    expect(lines.at(-1)?.message).toContain('1 now unchanged');
  });

  it('a result that no longer equals it is compared by its stored screenshot', async () => {
    const { result } = await open(BEFORE);
    expect(result).toMatchObject({ status: 'PASS', elementsFile: null });
    await moveTo(AFTER);
    await follow();
    expect(await now(result)).toMatchObject({ status: 'FAIL', diffRegions: [{ x: 30, y: 20 }] });
    expect((await now(result)).baselineVersionId).not.toBe(result.baselineVersionId);
    expect(await gate(result)).toBe('PENDING');
  });

  it('a result that differs still is compared with the new one', async () => {
    const { result } = await open(OTHER);
    await moveTo(AFTER);
    await follow();
    expect(await now(result)).toMatchObject({ status: 'FAIL', diffRegions: [{ x: 30, y: 90 }] });
  });

  it('an approved screenshot that is the baseline now is not promoted again', async () => {
    const { pull, result } = await open(AFTER);
    await approveRun(world.ctx, viewer, result.testRunId, {});
    await moveTo(AFTER);
    await follow();
    expect(await now(result)).toMatchObject({ status: 'PASS', approved: true });
    expect(await promoteMergedRun(world.ctx, result.testRunId, pull.number)).toBe(0);
    expect(await listVersions(world.ctx, suite, {})).toHaveLength(2);
  });

  it('what a person approved stays as they saw it, until the approval is undone', async () => {
    const { result } = await open(OTHER);
    await approveRun(world.ctx, viewer, result.testRunId, {});
    await moveTo(AFTER);
    expect(await follow()).toEqual([]);
    expect(await now(result)).toMatchObject({ approved: true, baselineVersionId: result.baselineVersionId });
    await undoApproval(world.ctx, viewer, result.testRunId, {});
    expect(await follow()).toEqual([result.testRunId]);
    expect(await now(result)).toMatchObject({ approved: false, diffRegions: [{ x: 30, y: 90 }] });
  });

  it('what a person approved before is approved after a push only if it is compared with the same baseline', async () => {
    const { pull, result } = await open(OTHER);
    await approveRun(world.ctx, viewer, result.testRunId, {});
    const push = async (letter: string) => {
      const head = { ...pull, headSha: sha(`${letter}${pulls}`) };
      await github.changePullRequest(world, head);
      return runOf(head, OTHER);
    };
    await moveTo(AFTER);
    const pushed = await push('d');
    expect(pushed).toMatchObject({ approved: false, diffRegions: [{ x: 30, y: 90 }] });
    expect(await gate(pushed)).toBe('PENDING');
    await moveTo(BEFORE);
    expect(await push('e')).toMatchObject({ approved: true });
  });

  it('runs of earlier heads and of closed pull requests stay as they are', async () => {
    const { pull, result } = await open(AFTER);
    const head = { ...pull, headSha: sha(`e${pulls}`) };
    await github.changePullRequest(world, head);
    const newest = await runOf(head, AFTER);
    const closed = await open(AFTER);
    await github.changePullRequest(world, { ...closed.pull, state: 'CLOSED' });
    await moveTo(AFTER);
    expect(await follow()).toEqual([newest.testRunId]);
    expect(await now(result)).toMatchObject({ status: 'FAIL' });
    expect(await now(closed.result)).toMatchObject({ status: 'FAIL' });
  });

  it('the gate follows, also when the worker dies after it has written the last result', async () => {
    const { result } = await open(BEFORE);
    expect(await gate(result)).toBe('NOT_REQUIRED');
    await moveTo(AFTER);
    await expect(compareAnew(diesAfter(1), { runId: result.testRunId })).rejects.toThrow('killed');
    expect(await now(result)).toMatchObject({ status: 'FAIL' });
    await compareAnew(world.ctx, { runId: result.testRunId });
    expect(await gate(result)).toBe('PENDING');
    const lines = await readLogs(world.ctx, viewer, result.testRunId);
    await compareAnew(world.ctx, { runId: result.testRunId });
    expect(await readLogs(world.ctx, viewer, result.testRunId)).toEqual(lines);
  });

  it('the same job twice, and a screenshot that is missing, change nothing', async () => {
    const { result } = await open(OTHER);
    await moveTo(AFTER);
    await follow();
    const first = await now(result);
    await compareAnew(world.ctx, { runId: result.testRunId });
    expect(await now(result)).toEqual(first);
    await moveTo(marked([7]));
    const missing = { ...world.ctx, storage: { ...world.ctx.storage, get: async () => null } };
    await compareAnew(missing, { runId: result.testRunId });
    expect(await now(result)).toEqual(first);
  });
});
