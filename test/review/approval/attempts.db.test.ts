import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { promotePullRequest } from '../../../src/github/webhooks/promote-pull-request.ts';
import { endPullRequestRun } from '../../../src/pull-requests/end-pull-request-run.ts';
import type { PullRequest } from '../../../src/pull-requests/pull-request.ts';
import { startPullRequestRun } from '../../../src/pull-requests/start-pull-request-run.ts';
import { countAsChange } from '../../../src/review/approval/decide.ts';
import { cancelInFlight } from '../../../src/runs/end-run.ts';
import type { Settlement } from '../../../src/runs/page-jobs/compare-page.ts';
import { getRunFor } from '../../../src/runs/read-run.ts';
import { lockRun } from '../../../src/runs/run-store.ts';
import { linkedSuites } from '../../../src/suites/linked-suites.ts';
import * as github from '../../github/check-world.ts';
import { pullRequestEvent, sha } from '../../github/webhooks/pull-request-payloads.ts';
import { createTestDatabase, someoneWaits } from '../../support/database.ts';
import { approveRun, decide, readRun, rerunAllErrors } from '../../support/requests.ts';
import { stubHttp } from '../../support/stub-http.ts';
import { handleEvent } from '../../support/take-deliveries.ts';
import type { OwnSuite } from '../../support/world.ts';
import { reviewedPull } from '../reviewed-pull.ts';

stubHttp();

let ann: Viewer;
let ben: Viewer;
let suite: OwnSuite;
let pull: PullRequest;
let pulls = 0;

const database = await createTestDatabase();
const world = github.connectedWorld(database.db);
afterAll(() => database.drop());

beforeEach(async () => {
  pulls += 1;
  ({ ann, ben, suite, pull } = await reviewedPull(world, pulls));
});

/** Another attempt at the head of the pull request, which waits for its preview. */
async function begunAttempt(): Promise<string> {
  const linked = (await linkedSuites(world.ctx, pull)).find((each) => each.suite.id === suite.id);
  const runId =
    linked && (await world.db.transaction((trx) => startPullRequestRun(trx, world.ctx, linked, pull, 'any end')));
  if (typeof runId !== 'string') throw new Error('There is no room for another attempt');
  return runId;
}

async function attempt(settlements: (Settlement | null)[]): Promise<string> {
  const runId = await begunAttempt();
  await github.takeRun(world, runId);
  await github.settleRun(world, ann, runId, settlements);
  return runId;
}

const read = (runId: string) => readRun(world.ctx, ann, runId, 'suite.read');
const gate = async (runId: string) => (await read(runId)).run.reviewState;
const idsOf = async (runId: string) => (await read(runId)).results.map(({ id }) => id);
const changed = () => [github.changedScreenshot(suite, 'b'), github.changedScreenshot(suite, 'c')];

const heads = () => [pull.headSha, sha(`d${pulls}`)] as const;

/** Replaces one head by another. @returns the last run of the new one, captured if it is new. */
async function push(before: string, head: string, at: number, settlements: Settlement[]): Promise<string> {
  const said = { number: pull.number, before, head, at, base: 'main' };
  await handleEvent(world.ctx, 'pull_request', pullRequestEvent('synchronize', said));
  const of = { test_suite_id: suite.id, git_pr_number: pull.number, git_head_sha: head };
  const { id, status } = await world.db('test_runs').where(of).orderBy('git_attempt', 'desc').first();
  if (status !== 'PENDING') return id;
  await github.takeRun(world, id);
  await github.settleRun(world, ann, id, settlements);
  return id;
}

describe('what a person counts as a change', () => {
  const drifted = () => ({ ...github.changedScreenshot(suite), cause: 'DRIFT' as const });

  it('holds the gate of another attempt and of a push that show the same, too, and of no others', async () => {
    const first = await attempt([drifted(), drifted()]);
    expect(await gate(first)).toBe('NOT_REQUIRED');
    const [counted = ''] = await idsOf(first);
    await countAsChange(world.ctx, await getRunFor(world.ctx, ben, first, 'suite.approve'), counted);
    const again = await attempt([drifted(), drifted()]);
    expect(await gate(again)).toBe('PENDING');
    expect((await read(again)).results.map(({ cause }) => cause)).toEqual(['CHANGE', 'DRIFT']);
    await approveRun(world.ctx, ann, again, {});
    expect(await gate(await attempt([drifted(), drifted()]))).toBe('APPROVED');
    expect(
      await gate(await attempt([{ ...drifted(), currentFile: `suites/${suite.id}/${'e'.repeat(64)}.png` }, drifted()])),
    ).toBe('NOT_REQUIRED');
  });
});

describe('a head that a force-push brings back', () => {
  it('lost its approval of what was refused at the head between, until somebody approves it again', async () => {
    const [one, other] = heads();
    const first = await attempt(changed());
    await decide(world.ctx, ann, first, { decision: 'approve' });
    const second = await push(one, other, 3, changed());
    expect(await gate(second)).toBe('APPROVED');
    const [refused = ''] = await idsOf(second);
    await decide(world.ctx, ben, second, { decision: 'request_changes', note: 'No', resultIds: [refused] });
    expect(await push(other, one, 6, [])).toBe(first);
    expect(await gate(first)).toBe('PENDING');
    expect((await read(first)).results.map(({ approved }) => approved)).toEqual([false, true]);
    await decide(world.ctx, ann, first, { decision: 'approve' });
    await push(one, other, 9, []);
    await push(other, one, 12, []);
    expect(await gate(first)).toBe('APPROVED');
  });

  it('counts as changes what somebody counted at the head between', async () => {
    const [one, other] = heads();
    const drifted = () => ({ ...github.changedScreenshot(suite), cause: 'DRIFT' as const });
    const first = await attempt([drifted(), drifted()]);
    const second = await push(one, other, 3, [drifted(), drifted()]);
    const [counted = ''] = await idsOf(second);
    await countAsChange(world.ctx, await getRunFor(world.ctx, ben, second, 'suite.approve'), counted);
    await push(other, one, 6, []);
    expect(await gate(first)).toBe('PENDING');
  });
});

describe('a decision about an earlier run', () => {
  /** Runs the job that every decision queues. */
  async function follow(): Promise<void> {
    expect(await world.db('graphile_worker.jobs').pluck('task_identifier')).toContain('promote-pull-request');
    await promotePullRequest(world.ctx, pull);
    await world.db('graphile_worker._private_jobs').delete();
  }

  it('counts for the same screenshots in the last one, of another attempt or of a push', async () => {
    const first = await attempt(changed());
    const again = await attempt(changed());
    await world.db('graphile_worker._private_jobs').delete();
    await decide(world.ctx, ann, first, { decision: 'approve' });
    await follow();
    expect(await gate(again)).toBe('APPROVED');
    const [one, other] = heads();
    const pushed = await push(one, other, 3, changed());
    expect(await gate(pushed)).toBe('APPROVED');
    const [refused = ''] = await idsOf(again);
    await decide(world.ctx, ben, again, { decision: 'request_changes', note: 'No', resultIds: [refused] });
    await follow();
    expect(await gate(pushed)).toBe('PENDING');
    expect((await read(pushed)).results.map(({ approved }) => approved)).toEqual([false, true]);
  });
});

describe('a request for changes', () => {
  it('outlives an attempt that was cancelled, or that got no preview, and then ends with its author', async () => {
    const first = await attempt(changed());
    await decide(world.ctx, ann, first, { decision: 'approve' });
    await decide(world.ctx, ben, first, { decision: 'request_changes', note: 'Not yet' });
    await cancelInFlight(world.db, world.ctx, await begunAttempt(), { reason: 'cancelled by a user' });
    const noPreview = { status: 'FAILED', reason: 'preview_timeout', error: 'None came' } as const;
    await endPullRequestRun(world.db, world.ctx, await begunAttempt(), noPreview);
    const next = await attempt(changed());
    expect((await read(next)).run).toMatchObject({ changeRequests: 1, reviewState: 'PENDING' });
    await decide(world.ctx, ben, next, { decision: 'undo' });
    await cancelInFlight(world.db, world.ctx, await begunAttempt(), { reason: 'cancelled by a user' });
    expect((await read(await attempt(changed()))).run).toMatchObject({ changeRequests: 0, reviewState: 'APPROVED' });
  });

  it('that was taken back in a later attempt keeps no approval from the next head', async () => {
    const first = await attempt(changed());
    const [asked = ''] = await idsOf(first);
    await decide(world.ctx, ben, first, { decision: 'request_changes', note: 'No', resultIds: [asked] });
    const again = await attempt(changed());
    await decide(world.ctx, ben, again, { decision: 'undo' });
    await decide(world.ctx, ann, again, { decision: 'approve' });
    const [one, other] = heads();
    expect(await gate(await push(one, other, 3, changed()))).toBe('APPROVED');
  });

  it('is refused where a newer attempt has ended, which repeats nothing, and so is counting as a change', async () => {
    const first = await attempt(changed());
    await decide(world.ctx, ann, first, { decision: 'approve' });
    const [result = ''] = await idsOf(first);
    const inFlight = await begunAttempt();
    await decide(world.ctx, ben, first, { decision: 'request_changes', note: 'No', resultIds: [result] });
    await github.takeRun(world, inFlight);
    await github.settleRun(world, ann, inFlight, changed());
    expect((await read(inFlight)).run).toMatchObject({ changeRequests: 1, reviewState: 'PENDING' });
    const refused = decide(world.ctx, ben, first, { decision: 'request_changes', note: 'No, really' });
    await expect(refused).rejects.toMatchObject({ kind: 'conflict', details: { code: 'run_superseded' } });
    await decide(world.ctx, ben, inFlight, { decision: 'request_changes', note: 'No, really' });
    expect((await read(inFlight)).run).toMatchObject({ changeRequests: 2 });
    const counted = countAsChange(world.ctx, await getRunFor(world.ctx, ben, first, 'suite.approve'), result);
    await expect(counted).rejects.toMatchObject({ kind: 'conflict', details: { code: 'run_superseded' } });
  });

  const tooLate = { kind: 'conflict', details: { code: 'run_superseded' } };

  it('is refused as well in the instant in which a newer attempt ends', async () => {
    const first = await attempt(changed());
    await decide(world.ctx, ann, first, { decision: 'approve' });
    const next = await begunAttempt();
    await github.takeRun(world, next);
    let request: Promise<unknown> = Promise.resolve();
    await world.db.transaction(async (trx) => {
      await github.settleRun({ ...world, ctx: { ...world.ctx, db: trx } }, ann, next, changed());
      request = decide(world.ctx, ben, first, { decision: 'request_changes', note: 'No' }).catch((error) => error);
      await Promise.race([request, someoneWaits(world.db)]);
    });
    expect(await request).toMatchObject(tooLate);
  });

  it('is refused as well while errors of a newer attempt are captured again that somebody has decided about', async () => {
    const first = await attempt(changed());
    const next = await attempt([github.changedScreenshot(suite, 'b'), null]);
    await decide(world.ctx, ann, next, { decision: 'approve' });
    await rerunAllErrors(world.ctx, ann, next);
    const request = decide(world.ctx, ben, first, { decision: 'request_changes', note: 'No' });
    await expect(request).rejects.toMatchObject(tooLate);
  });
});

describe('an approval that another attempt repeats', () => {
  it('closes the gate there at once when it is undone', async () => {
    const first = await attempt(changed());
    await decide(world.ctx, ann, first, { decision: 'approve' });
    const again = await attempt(changed());
    expect(await gate(again)).toBe('APPROVED');
    await world.db('graphile_worker._private_jobs').delete();
    await decide(world.ctx, ann, first, { decision: 'undo' });
    expect(await gate(again)).toBe('PENDING');
    expect(await world.db('graphile_worker.jobs').pluck('key')).toContain(`check/${again}`);
  });

  it('can be undone in both at the same time', async () => {
    const first = await attempt(changed());
    await decide(world.ctx, ann, first, { decision: 'approve' });
    const [low = '', high = ''] = [first, await attempt(changed())].toSorted();
    const undone = await world.db.transaction(async (trx) => {
      await lockRun(trx, low);
      const other = decide(world.ctx, ben, high, { decision: 'undo' });
      await Promise.race([other, someoneWaits(world.db)]);
      await lockRun(trx, high);
      return [other];
    });
    await Promise.all(undone);
    const results = [...(await read(low)).results, ...(await read(high)).results];
    expect(results.map(({ approved }) => approved)).toEqual([false, false, false, false]);
  });
});
