import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/auth/user.ts';
import type { MergeBase } from '../../src/context.ts';
import { promoteMergedRun } from '../../src/pull-requests/promote-merged-run.ts';
import type { PullRequest } from '../../src/pull-requests/pull-request.ts';
import { judgeRun } from '../../src/runs/judging/judge-runs.ts';
import type { PageResult } from '../../src/runs/results/result.ts';
import type { SuiteConfigInput } from '../../src/suites/config/suite-config.ts';
import * as github from '../github/check-world.ts';
import { sha } from '../github/webhooks/pull-request-payloads.ts';
import { finishOn, marked, onlyResult, runOn, worldWithStorage } from '../runs/one-page.ts';
import { approveRun, decide, listVersions, promoteThroughApi, shareSuite, updateSuite } from '../support/requests.ts';
import { stubHttp } from '../support/stub-http.ts';
import { newViewer, type OwnSuite } from '../support/world.ts';

stubHttp();

let world: Awaited<ReturnType<typeof worldWithStorage>>;
let viewer: Viewer;
let suite: OwnSuite;
let pulls = 0;
/** What was asked of GitHub, and its answer. */
let asked: string[];
let answer: () => MergeBase | null;

beforeAll(async () => {
  world = await worldWithStorage();
});
afterAll(() => world.end());

const MERGE = sha('feed');
const [OLD, NEW] = [marked([]), marked([20])];
const LONG_AGO: MergeBase = { sha: sha('01d'), committedAt: '2020-01-01T00:00:00Z' };
const JUST_NOW: MergeBase = { sha: MERGE, committedAt: '2099-01-01T00:00:00Z' };

const configure = (config: SuiteConfigInput) => updateSuite(world.ctx, viewer, suite.id, { config });

beforeEach(async () => {
  asked = [];
  answer = () => LONG_AGO;
  world.ctx.codeHost = {
    readMergeBase: async ({ of, head }) => {
      asked.push(`${of}...${head}`);
      return answer();
    },
  };
  viewer = await newViewer(world);
  suite = await github.linkedSuite(world, viewer, ['/']);
  await runOn(world, { viewer, suite }, OLD);
});

async function open(png: Buffer): Promise<{ pull: PullRequest; result: PageResult }> {
  pulls += 1;
  const pull = await github.newPullRequest(world, { number: 3000 + pulls, headSha: sha(`9f${pulls}`) });
  const runId = await github.waitingRun(world, suite, pull);
  await github.takeRun(world, runId);
  return { pull, result: await finishOn(world, viewer, runId, png) };
}

/** A merge makes this the next version. @returns the number of the pull request */
async function merge(png: Buffer): Promise<number> {
  const { pull, result } = await open(png);
  await approveRun(world.ctx, viewer, result.testRunId, {});
  await github.changePullRequest(world, { ...pull, state: 'MERGED', mergedAt: new Date() });
  await promoteMergedRun(world.ctx, result.testRunId, pull.number, MERGE);
  asked = [];
  return pull.number;
}

/** The site itself is seen with this, which a person approves. */
async function approveOnSite(png: Buffer): Promise<PageResult> {
  const result = await runOn(world, { viewer, suite }, png);
  await approveRun(world.ctx, viewer, result.testRunId, {});
  return result;
}

const behind = { status: 'FAIL', cause: 'BEHIND', causeVersion: 1 };
const change = { status: 'FAIL', cause: 'CHANGE', causeVersion: null, causePullRequest: null };

describe('a page that looks like an older version of its baseline', () => {
  it('is behind when the branch lacks the merge that came after: it holds no gate, and is never promoted', async () => {
    const number = await merge(NEW);
    const { pull, result } = await open(OLD);
    expect(result).toMatchObject({ ...behind, causePullRequest: number });
    expect(asked).toEqual([`${MERGE}...${pull.headSha}`]);
    const run = await world.db('test_runs').where({ id: result.testRunId }).first('review_state');
    expect(run).toEqual({ reviewState: 'NOT_REQUIRED' });
    await approveRun(world.ctx, viewer, result.testRunId, {});
    expect(await promoteMergedRun(world.ctx, result.testRunId, pull.number, sha('a'))).toBe(0);
    expect(await listVersions(world.ctx, suite, {})).toHaveLength(2);
  });

  it('is a change when the branch has that merge: a revert', async () => {
    await merge(NEW);
    answer = () => JUST_NOW;
    expect((await open(OLD)).result).toMatchObject(change);
  });

  it('is a change when the branch grew out of that of the merged pull request, which a merge commit merged', async () => {
    const number = await merge(NEW);
    const { gitHeadSha: merged } = await world.db('test_runs').where({ git_pr_number: number }).first();
    answer = () => ({ ...LONG_AGO, sha: merged });
    expect((await open(OLD)).result).toMatchObject(change);
  });

  it('is a change when nobody knows, and is judged again when GitHub did not answer', async () => {
    await merge(NEW);
    answer = () => null;
    expect((await open(OLD)).result).toMatchObject(change);
    answer = () => {
      throw new Error('Bad gateway');
    };
    const { result } = await open(OLD);
    expect(result).toMatchObject(change);
    const key = `judge-run/${result.testRunId}`;
    expect(await world.db('graphile_worker.jobs').where({ key }).first('id')).not.toBeNull();
    answer = () => LONG_AGO;
    await judgeRun(world.ctx, { runId: result.testRunId });
    expect(await onlyResult(world, viewer, result.testRunId)).toMatchObject(behind);
  });

  it('asks GitHub once for each merge, however often it is judged', async () => {
    await merge(NEW);
    const { result } = await open(OLD);
    await judgeRun(world.ctx, { runId: result.testRunId });
    expect(asked).toHaveLength(1);
  });

  it('may look like it within the thresholds', async () => {
    await configure({ failureThreshold: 0.01 });
    await merge(marked([20, 40, 60]));
    expect((await open(marked([150]))).result).toMatchObject(behind);
    expect((await open(marked([150, 160, 170]))).result).toMatchObject(change);
  });

  it('is a change where the suite does not want to know', async () => {
    await configure({ behind: false });
    await merge(NEW);
    expect((await open(OLD)).result).toMatchObject(change);
    expect(asked).toEqual([]);
  });

  it('is behind without a merge, when the branch left its base before the site was last seen so', async () => {
    await approveOnSite(NEW);
    const { pull, result } = await open(OLD);
    expect(result).toMatchObject({ ...behind, causePullRequest: null });
    expect(asked).toEqual([`main...${pull.headSha}`]);
    // Deployed late, a commit may not have been on the site yet.
    answer = () => ({ ...LONG_AGO, committedAt: new Date(Date.now() - 60_000).toISOString() });
    expect((await open(OLD)).result).toMatchObject(change);
  });

  it('may be of the version before last, and is a change when the site was never seen as in that version', async () => {
    await merge(NEW);
    await approveOnSite(marked([20, 90]));
    expect((await open(OLD)).result).toMatchObject(behind);
    expect((await open(NEW)).result).toMatchObject(change);
  });
});

describe('an older version that somebody refused is no version that a branch is behind', () => {
  const LATER = marked([20, 90]);
  const shown = { status: 'FAIL', cause: 'BEHIND' };

  /** Of the page that a pull request shows so. */
  const shownBy = async (png: Buffer) => (await open(png)).result;

  async function undo(png: Buffer): Promise<PageResult> {
    const result = await runOn(world, { viewer, suite }, png);
    await approveRun(world.ctx, viewer, result.testRunId, {});
    await decide(world.ctx, viewer, result.testRunId, { decision: 'undo' });
    return result;
  }

  async function restore(version: number): Promise<void> {
    const versions = await listVersions(world.ctx, suite, {});
    const id = versions.find((each) => each.version === version)?.id ?? '';
    await promoteThroughApi(world.ctx, viewer, { baselineVersionId: id });
  }

  async function judge(): Promise<void> {
    const keys: string[] = await world.db('graphile_worker.jobs').where({ task_identifier: 'judge-run' }).pluck('key');
    await world.db('graphile_worker._private_jobs').delete();
    for (const key of keys) await judgeRun(world.ctx, { runId: key.replace('judge-run/', '') });
  }

  it('after its approval was undone', async () => {
    await undo(NEW);
    expect(await shownBy(NEW)).toMatchObject(change);
  });

  it('after its approval was undone, and another version came on top', async () => {
    await undo(NEW);
    await merge(LATER);
    expect(await shownBy(NEW)).toMatchObject(change);
    expect(await shownBy(OLD)).toMatchObject({ ...shown, causeVersion: 3 });
  });

  it('unless it was approved again', async () => {
    await undo(NEW);
    await merge(NEW);
    await merge(LATER);
    expect(await shownBy(NEW)).toMatchObject({ ...shown, causeVersion: 4 });
  });

  it('also where it was the baseline before, and came back until the approval was undone', async () => {
    await approveOnSite(NEW);
    await merge(LATER);
    await undo(NEW);
    expect(await shownBy(NEW)).toMatchObject(change);
    expect(await shownBy(OLD)).toMatchObject(shown);
  });

  it('after an earlier one was restored: all that came in between', async () => {
    await merge(NEW);
    await merge(LATER);
    await restore(1);
    await merge(marked([150]));
    expect(await shownBy(NEW)).toMatchObject(change);
    expect(await shownBy(LATER)).toMatchObject(change);
    expect(await shownBy(OLD)).toMatchObject(shown);
    await restore(3);
    await merge(marked([170]));
    expect(await shownBy(LATER)).toMatchObject(shown);
    expect(await shownBy(marked([150]))).toMatchObject(change);
  });

  it('while somebody asks for changes of it, in any run; open pull requests follow', async () => {
    await merge(NEW);
    await merge(LATER);
    const other = await shownBy(NEW);
    const result = await shownBy(NEW);
    expect([other, result]).toMatchObject([shown, shown]);
    await decide(world.ctx, viewer, other.testRunId, {
      decision: 'request_changes',
      resultIds: [other.id],
      note: 'Never again',
    });
    await judge();
    expect(await onlyResult(world, viewer, result.testRunId)).toMatchObject(change);
    expect(await shownBy(NEW)).toMatchObject(change);
    const run = await world.db('test_runs').where({ id: result.testRunId }).first('review_state');
    expect(run).toEqual({ reviewState: 'PENDING' });
    await decide(world.ctx, viewer, other.testRunId, { decision: 'undo', resultIds: [other.id] });
    await judge();
    expect(await onlyResult(world, viewer, result.testRunId)).toMatchObject(shown);
  });

  it('while somebody asks for changes of it; a pull request whose earlier head is back follows, too', async () => {
    await merge(NEW);
    await merge(LATER);
    const other = await shownBy(NEW);
    const { pull, result } = await open(NEW);
    const between = { ...pull, headSha: sha(`b3${pulls}`) };
    await github.changePullRequest(world, between);
    const runId = await github.waitingRun(world, suite, between);
    await github.takeRun(world, runId);
    await finishOn(world, viewer, runId, marked([150]));
    await github.changePullRequest(world, pull);
    expect(await onlyResult(world, viewer, result.testRunId)).toMatchObject(shown);
    const refusal = { resultIds: [other.id], note: 'Never again' };
    await decide(world.ctx, viewer, other.testRunId, { decision: 'request_changes', ...refusal });
    await judge();
    expect(await onlyResult(world, viewer, result.testRunId)).toMatchObject(change);
  });

  it('while changes are requested of the run that it was approved in', async () => {
    const ben = await newViewer(world);
    await shareSuite(world.ctx, viewer, suite, { userId: ben.id, role: 'REVIEWER' });
    const { testRunId } = await approveOnSite(NEW);
    await merge(LATER);
    await decide(world.ctx, ben, testRunId, { decision: 'request_changes', note: 'Wait' });
    expect(await shownBy(NEW)).toMatchObject(change);
    await decide(world.ctx, ben, testRunId, { decision: 'undo' });
    expect(await shownBy(NEW)).toMatchObject(shown);
  });

  it('after an approval of the same was undone that had not become a version', async () => {
    await merge(NEW);
    await merge(LATER);
    answer = () => JUST_NOW;
    const revert = await shownBy(NEW);
    await approveRun(world.ctx, viewer, revert.testRunId, {});
    await decide(world.ctx, viewer, revert.testRunId, { decision: 'undo' });
    answer = () => LONG_AGO;
    expect(await shownBy(NEW)).toMatchObject(change);
  });

  it('nor is what equals it taken for another version that is close', async () => {
    await undo(marked([20, 40]));
    await merge(marked([60, 70, 80, 90]));
    await configure({ failureThreshold: 0.02 });
    expect(await shownBy(marked([25, 45]))).toMatchObject(shown);
    expect(await shownBy(marked([20, 40]))).toMatchObject(change);
  });
});
