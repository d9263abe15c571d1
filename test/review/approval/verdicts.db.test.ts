import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { promoteMergedRun } from '../../../src/pull-requests/promote-merged-run.ts';
import type { PullRequest } from '../../../src/pull-requests/pull-request.ts';
import { decideSettings } from '../../../src/review/approval/decide.ts';
import { judgeRun } from '../../../src/runs/judging/judge-runs.ts';
import { getRunFor } from '../../../src/runs/read-run.ts';
import { lockRun } from '../../../src/runs/run-store.ts';
import * as github from '../../github/check-world.ts';
import { sha } from '../../github/webhooks/pull-request-payloads.ts';
import { createTestDatabase, someoneWaits } from '../../support/database.ts';
import { approveRun, decide, listVersions, readRun } from '../../support/requests.ts';
import { stubHttp } from '../../support/stub-http.ts';
import { finishedRun, type OwnSuite } from '../../support/world.ts';
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

async function runOf(head: string, screenshots: [string, string] = ['b', 'c']): Promise<string> {
  const runId = await github.waitingRun(world, suite, { ...pull, headSha: sha(`${head}${pulls}`) });
  await github.takeRun(world, runId);
  const settlements = screenshots.map((name) => github.changedScreenshot(suite, name));
  await github.settleRun(world, ann, runId, settlements);
  return runId;
}

const read = (runId: string) => readRun(world.ctx, ann, runId, 'suite.read');
const gate = async (runId: string) => (await read(runId)).run.reviewState;
const idsOf = async (runId: string) => (await read(runId)).results.map(({ id }) => id);

describe('a request for changes', () => {
  it('needs words', async () => {
    const runId = await runOf('1');
    for (const note of [undefined, '', '  ', 'x'.repeat(2001)]) {
      await expect(decide(world.ctx, ann, runId, { decision: 'request_changes', note })).rejects.toMatchObject({
        kind: 'invalid',
        details: { issues: [{ path: 'note' }] },
      });
    }
    expect((await read(runId)).run).toMatchObject({ verdictNumber: 0, changeRequests: 0 });
  });

  it.each(['a result', 'the run'])(
    'of %s keeps the gate closed until its author approves or undoes it',
    async (what) => {
      const runId = await runOf('2');
      const [first = ''] = await idsOf(runId);
      const about = what === 'a result' ? { resultIds: [first] } : {};
      await decide(world.ctx, ben, runId, { decision: 'request_changes', note: 'Too pale', ...about });
      await decide(world.ctx, ann, runId, { decision: 'approve' });
      expect(await gate(runId)).toBe('PENDING');
      await decide(world.ctx, ann, runId, { decision: 'approve', resultIds: [first] });
      expect([await gate(runId), (await read(runId)).run.changeRequests]).toEqual(['PENDING', 1]);
      await decide(world.ctx, ben, runId, { decision: 'undo', ...about });
      expect([await gate(runId), (await read(runId)).run.changeRequests]).toEqual(['APPROVED', 0]);
      await decide(world.ctx, ben, runId, { decision: 'request_changes', note: 'After all', ...about });
      expect(await gate(runId)).toBe('PENDING');
      await decide(world.ctx, ben, runId, { decision: 'approve', ...about });
      expect(await gate(runId)).toBe('APPROVED');
    },
  );

  it('takes back the approval of the same person, and only that', async () => {
    const runId = await runOf('3');
    await decide(world.ctx, ann, runId, { decision: 'approve' });
    const [first = '', second = ''] = await idsOf(runId);
    await decide(world.ctx, ann, runId, { decision: 'request_changes', note: 'No', resultIds: [first] });
    await decide(world.ctx, ben, runId, { decision: 'request_changes', note: 'No', resultIds: [second] });
    expect((await read(runId)).results.map((result) => [result.approved, result.changesRequested])).toEqual([
      [false, true],
      [true, true],
    ]);
  });

  it('is left alone by approving everything, and what it is about is not promoted by a merge', async () => {
    const runId = await runOf('4');
    const [first = ''] = await idsOf(runId);
    await decide(world.ctx, ben, runId, { decision: 'request_changes', note: 'Too pale', resultIds: [first] });
    expect(await approveRun(world.ctx, ann, runId, {})).toMatchObject({ approved: 1 });
    await decide(world.ctx, ann, runId, { decision: 'approve', resultIds: [first] });
    await github.changePullRequest(world, { ...pull, state: 'MERGED', mergeCommitSha: sha('feed') });
    expect(await promoteMergedRun(world.ctx, runId, pull.number)).toBe(1);
    expect((await listVersions(world.ctx, suite, {})).map(({ path }) => path)).toEqual(['/a']);
  });

  it('to the run itself lets a merge promote nothing until it is withdrawn', async () => {
    const runId = await runOf('13');
    await approveRun(world.ctx, ann, runId, {});
    await decide(world.ctx, ben, runId, { decision: 'request_changes', note: 'Not like this' });
    await github.changePullRequest(world, { ...pull, state: 'MERGED', mergeCommitSha: sha('feed') });
    expect(await promoteMergedRun(world.ctx, runId, pull.number)).toBe(0);
    await decide(world.ctx, ben, runId, { decision: 'undo' });
    expect(await promoteMergedRun(world.ctx, runId, pull.number)).toBe(2);
  });

  it('is taken back alone when it is named, and first of all when nothing is', async () => {
    const runId = await runOf('9');
    const [first = '', second = ''] = await idsOf(runId);
    const asked = async () => {
      const { run, results } = await read(runId);
      return [run.changeRequests, ...results.map((result) => result.changesRequested)];
    };
    await decide(world.ctx, ann, runId, { decision: 'approve' });
    for (const about of [{}, { resultIds: [first] }, { resultIds: [second] }]) {
      await decide(world.ctx, ben, runId, { decision: 'request_changes', note: 'No', ...about });
    }
    await decide(world.ctx, ben, runId, { decision: 'undo', resultIds: [first] });
    expect(await asked()).toEqual([2, false, true]);
    await decide(world.ctx, ben, runId, { decision: 'undo' });
    expect(await asked()).toEqual([1, false, true]);
    await decide(world.ctx, ben, runId, { decision: 'undo' });
    expect(await asked()).toEqual([0, false, false]);
  });

  it('is taken back even where it is too late for approvals', async () => {
    await finishedRun(world, ann, suite, () => 'a');
    const { run } = await finishedRun(world, ann, suite, () => 'b');
    await decide(world.ctx, ann, run.id, { decision: 'approve' });
    const [first = ''] = await idsOf(run.id);
    await decide(world.ctx, ben, run.id, { decision: 'request_changes', note: 'No', resultIds: [first] });
    await finishedRun(world, ann, suite, () => 'c');
    await decide(world.ctx, ben, run.id, { decision: 'undo' });
    const { results } = await read(run.id);
    expect(results.map((result) => [result.approved, result.changesRequested])).toEqual([
      [true, false],
      [true, false],
    ]);
  });

  it('ends with a run of another head, whose same screenshots need an approval', async () => {
    const runId = await runOf('5');
    await decide(world.ctx, ann, runId, { decision: 'approve' });
    const [first = ''] = await idsOf(runId);
    await decide(world.ctx, ben, runId, { decision: 'request_changes', note: 'Too pale', resultIds: [first] });
    const next = await read(await runOf('6'));
    expect(next.run).toMatchObject({ changeRequests: 0, reviewState: 'PENDING' });
    expect(next.results.map(({ approved }) => approved)).toEqual([false, true]);
  });

  it('holds the gate of a run of the site, where an approval is undone as well', async () => {
    await finishedRun(world, ann, suite, () => 'a');
    const { run } = await finishedRun(world, ann, suite, () => 'b');
    await decide(world.ctx, ann, run.id, { decision: 'approve' });
    expect(await gate(run.id)).toBe('APPROVED');
    await decide(world.ctx, ann, run.id, { decision: 'request_changes', note: 'No', resultIds: await idsOf(run.id) });
    expect(await gate(run.id)).toBe('PENDING');
    expect(
      (await listVersions(world.ctx, suite, { path: '/a' })).map(({ restoredVersion }) => restoredVersion),
    ).toEqual([1, null, null]);
  });
});

describe('an approval of settings', () => {
  const loosening = async (head: string) => {
    const runId = await github.waitingRun(world, suite, { ...pull, headSha: sha(`${head}${pulls}`) });
    await github.takeRun(world, runId);
    await world
      .db('test_runs')
      .where({ id: runId })
      .update({ settings_hash: 'f'.repeat(64) });
    await github.settleRun(world, ann, runId, [github.sameScreenshot(suite), github.sameScreenshot(suite)]);
    return runId;
  };
  const about = async (runId: string) => getRunFor(world.ctx, ann, runId, 'suite.approve');

  it('is undone as well in the later runs that repeat it', async () => {
    const first = await loosening('b');
    await decideSettings(world.ctx, await about(first), { decision: 'approve' });
    const second = await loosening('c');
    expect((await read(second)).run).toMatchObject({ reviewState: 'APPROVED', settingsCarriedOver: true });
    await decideSettings(world.ctx, await about(first), { decision: 'undo' });
    expect((await read(second)).run).toMatchObject({ settingsApprovedAt: null, settingsCarriedOver: false });
    expect(await world.db('graphile_worker.jobs').where({ key: `judge-run/${second}` })).toHaveLength(1);
    await judgeRun(world.ctx, { runId: second });
    expect(await gate(second)).toBe('PENDING');
  });

  it('is undone as well in the run that it comes from', async () => {
    const first = await loosening('b');
    await decideSettings(world.ctx, await about(first), { decision: 'approve' });
    const second = await loosening('c');
    await decideSettings(world.ctx, await about(second), { decision: 'undo' });
    await judgeRun(world.ctx, { runId: first });
    expect(await gate(first)).toBe('PENDING');
  });

  it('can be undone in two runs at the same time', async () => {
    const earlier = await loosening('b');
    await decideSettings(world.ctx, await about(earlier), { decision: 'approve' });
    const [low = '', high = ''] = [earlier, await loosening('c')].toSorted();
    const asked = await about(high);
    const undone = await world.db.transaction(async (trx) => {
      await lockRun(trx, low);
      const other = decideSettings(world.ctx, asked, { decision: 'undo' });
      await Promise.race([other, someoneWaits(world.db)]);
      await lockRun(trx, high);
      return [other];
    });
    await Promise.all(undone);
    await judgeRun(world.ctx, { runId: low });
    expect([await gate(low), await gate(high)]).toEqual(['PENDING', 'PENDING']);
  });
});

describe('a decision on a state that somebody else changed', () => {
  const meanwhile = { kind: 'conflict', details: { code: 'decided_meanwhile' } };

  it('changes nothing and says what happened', async () => {
    const runId = await runOf('7');
    const resultIds = (await idsOf(runId)).slice(0, 1);
    await decide(world.ctx, ann, runId, { decision: 'approve', resultIds, note: 'Fine', seen: 0 });
    const refused = decide(world.ctx, ben, runId, { decision: 'request_changes', note: 'No', resultIds, seen: 0 });
    await expect(refused).rejects.toMatchObject({
      ...meanwhile,
      details: {
        verdictNumber: 1,
        verdicts: [{ decision: 'approve', note: 'Fine', author: { id: ann.id }, results: 1 }],
      },
    });
    expect((await read(runId)).run).toMatchObject({ verdictNumber: 1, changeRequests: 0 });
    await decide(world.ctx, ben, runId, { decision: 'request_changes', note: 'No', resultIds, seen: 1 });
    await expect(decide(world.ctx, ann, runId, { decision: 'undo', seen: 1 })).rejects.toMatchObject(meanwhile);
  });

  it('counts when both take something back', async () => {
    const runId = await runOf('a');
    await decide(world.ctx, ben, runId, { decision: 'approve' });
    await decide(world.ctx, ann, runId, { decision: 'request_changes', note: 'No' });
    await decide(world.ctx, ann, runId, { decision: 'undo' });
    await decide(world.ctx, ben, runId, { decision: 'undo', seen: 2 });
    expect((await read(runId)).results.map(({ approved }) => approved)).toEqual([false, false]);
  });

  it('counts when it is the same decision, about something else, or after an own one', async () => {
    const runId = await runOf('8');
    const [first = '', second = ''] = await idsOf(runId);
    await decide(world.ctx, ann, runId, { decision: 'approve', resultIds: [first], seen: 0 });
    await decide(world.ctx, ben, runId, { decision: 'approve', resultIds: [first], seen: 0 });
    await decide(world.ctx, ben, runId, { decision: 'request_changes', note: 'No', resultIds: [second], seen: 0 });
    await decide(world.ctx, ben, runId, { decision: 'undo', resultIds: [second], seen: 0 });
    expect((await read(runId)).results.map((result) => [result.approved, result.changesRequested])).toEqual([
      [true, false],
      [false, false],
    ]);
  });
});
