import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import { checkLinks } from '../../../src/github/checks/check-links.ts';
import { keepCheckShown } from '../../../src/pull-requests/check/check-store.ts';
import { decideCheck } from '../../../src/pull-requests/check/desired-check.ts';
import { readRunCheck } from '../../../src/pull-requests/check/run-check.ts';
import { findMergeGroups, keepMergeGroup } from '../../../src/pull-requests/pull-request-store.ts';
import type { PullRequest } from '../../../src/pull-requests/pull-request.ts';
import { replaceChanges } from '../../../src/runs/results/change-store.ts';
import { changeJudgedResult } from '../../../src/runs/results/result-store.ts';
import type { SuiteForViewer } from '../../../src/suites/suite.ts';
import { changeOf } from '../../support/changes.ts';
import { createTestDatabase } from '../../support/database.ts';
import { approveRun, readRun, shareSuite } from '../../support/requests.ts';
import { stubHttp } from '../../support/stub-http.ts';
import { handleEvent } from '../../support/take-deliveries.ts';
import { finishedRun, newViewer, type World } from '../../support/world.ts';
import * as fixture from '../check-world.ts';
import { checkRunEvent, checkSuiteEvent, mergeGroupEvent, type CheckRunSaid } from './check-payloads.ts';

stubHttp();

let world: World;
let owner: Viewer;
let suite: SuiteForViewer;
let pull: PullRequest;
let runId: string;

const database = await createTestDatabase();
afterAll(() => database.drop());

let checks = 900;

beforeEach(async () => {
  world = fixture.connectedWorld(database.db);
  owner = await newViewer(world);
  suite = await fixture.linkedSuite(world, owner, ['/a', '/b']);
  pull = await fixture.newPullRequest(world, { headSha: `${(checks += 1)}`.padEnd(40, 'f') });
  runId = await fixture.waitingRun(world, suite, pull);
  await world.db('test_runs').where({ id: runId }).update({ git_check_run_id: checks });
});
afterEach(() => fixture.unlink(world, suite));

const deliver = (event: string, payload: object) => handleEvent(world.ctx, event, payload);
const requested = (action: 'rerequested' | 'requested_action', said: CheckRunSaid = {}) =>
  deliver('check_run', checkRunEvent(action, { id: checks, headSha: pull.headSha, ...said }));

const attempts = async (): Promise<{ gitAttempt: number; status: string; gitEnqueued: boolean }[]> =>
  world
    .db('test_runs')
    .where({ test_suite_id: suite.id })
    .orderBy('git_attempt')
    .select('git_attempt', 'status', 'git_enqueued');
const isTold = async () => (await world.db('graphile_worker.jobs').where({ key: `check/${runId}` })).length === 1;
const forget = () => world.db.raw('select graphile_worker.remove_job(?)', [`check/${runId}`]);
const notice = async () => (await readRunCheck(world.db, runId))?.notice ?? null;

async function finish(changed = 1): Promise<void> {
  await fixture.takeRun(world, runId);
  const settled = changed === 1 ? fixture.changedScreenshot(suite) : fixture.sameScreenshot(suite);
  await fixture.settleRun(world, owner, runId, [settled, fixture.sameScreenshot(suite)]);
  await forget();
}

async function link(person: Viewer, githubId: number): Promise<void> {
  await world.db('accounts').insert({
    user_id: person.id,
    type: 'oauth',
    provider: 'github',
    provider_account_id: String(githubId),
  });
}

describe('"Re-run" of a check', () => {
  it('starts another attempt at the same head, which waits for its preview with a check of its own', async () => {
    await finish();
    await requested('rerequested');
    expect(await attempts()).toEqual([
      { gitAttempt: 1, status: 'COMPLETED', gitEnqueued: true },
      { gitAttempt: 2, status: 'PENDING', gitEnqueued: false },
    ]);
    const next = await world
      .db('test_runs')
      .where({ test_suite_id: suite.id, git_attempt: 2 })
      .first('id', 'git_check_run_id');
    expect(next.gitCheckRunId).toBeNull();
    const queued = await world
      .db('graphile_worker.jobs')
      .where('key', 'like', `%${next.id}`)
      .orderBy('key')
      .select('task_identifier');
    expect(queued.map((job: { taskIdentifier: string }) => job.taskIdentifier).sort()).toEqual([
      'expire-preview',
      'find-preview',
      'show-check',
    ]);
  });

  it('starts nothing while the run is in flight, and one attempt only when asked twice', async () => {
    await requested('rerequested');
    expect(await attempts()).toHaveLength(1);
    await finish();
    await requested('rerequested');
    await requested('rerequested');
    expect(await attempts()).toHaveLength(2);
  });

  it('knows the run by the id that we gave to the check when its number was lost', async () => {
    await finish();
    await world.db('test_runs').where({ id: runId }).update({ git_check_run_id: null });
    await requested('rerequested', { externalId: runId });
    expect(await attempts()).toHaveLength(2);
  });

  it('leaves alone what is closed, pushed over, unlinked, or not ours', async () => {
    await finish();
    await requested('rerequested', { id: 1 });
    await requested('rerequested', { repository: 'acme/other' });
    await fixture.changePullRequest(world, { ...pull, headSha: 'e'.repeat(40) });
    await requested('rerequested');
    await fixture.changePullRequest(world, { ...pull, state: 'CLOSED' });
    await requested('rerequested');
    await fixture.changePullRequest(world, pull);
    await fixture.unlink(world, suite);
    await requested('rerequested');
    expect(await attempts()).toHaveLength(1);
  });
});

describe('"Re-run" of the check over all suites', () => {
  it('starts another attempt of every suite, at the head of its pull request only', async () => {
    const externalId = `summary/${pull.number}/${pull.headSha}`;
    await finish();
    await requested('rerequested', { id: 5, externalId, headSha: 'e'.repeat(40) });
    await requested('rerequested', { id: 5, externalId: `summary/${pull.number + 1}/${pull.headSha}` });
    expect(await attempts()).toHaveLength(1);
    await requested('rerequested', { id: 5, externalId });
    expect(await attempts()).toHaveLength(2);
  });
});

describe('"Re-run all checks"', () => {
  it('starts another attempt of every suite of the repository, also for forks', async () => {
    const other = await fixture.linkedSuite(world, owner, ['/c']);
    await finish();
    await deliver('check_suite', checkSuiteEvent({ headSha: pull.headSha }));
    expect(await attempts()).toHaveLength(2);
    expect(await world.db('test_runs').where({ test_suite_id: other.id })).toHaveLength(1);
    await fixture.unlink(world, other);
  });
});

describe('the button "Approve"', () => {
  it('approves as the person whose account is linked, if they may', async () => {
    const reviewer = await newViewer(world);
    await shareSuite(world.ctx, owner, suite, { email: reviewer.email, role: 'REVIEWER' });
    await link(reviewer, 7001);
    await finish();
    await requested('requested_action', { button: 'approve', sender: { id: 7001, login: 'octocat' } });
    const { run, results } = await readRun(world.ctx, owner, runId, 'suite.read');
    expect(run.reviewState).toBe('APPROVED');
    expect(results.filter((result) => result.approved).map((result) => result.approvedById)).toEqual([reviewer.id]);
    expect(await isTold()).toBe(true);
  });

  it.each<[string, (person: Viewer) => Promise<unknown>, RegExp]>([
    ['no account is linked', async () => {}, /no account at https:\/\/gate.example.com is linked/],
    ['the suite is not shared with them', (person) => link(person, 7002), /the REVIEWER role on the suite is required/],
    [
      'they are a VIEWER',
      async (person) => {
        await link(person, 7002);
        await shareSuite(world.ctx, owner, suite, { email: person.email, role: 'VIEWER' });
      },
      /the REVIEWER role on the suite is required/,
    ],
  ])('is refused, and the check says why, where %s', async (_, prepare, why) => {
    const person = await newViewer(world);
    await prepare(person);
    await finish();
    await requested('requested_action', { button: 'approve', sender: { id: 7002, login: 'mallory' } });
    expect((await readRun(world.ctx, owner, runId, 'suite.read')).run.reviewState).toBe('PENDING');
    expect(await notice()).toMatch(why);
    expect(await notice()).toContain('@mallory');
    expect(await isTold()).toBe(true);
    await world.db('accounts').where({ provider_account_id: '7002' }).delete();
  });

  it('leaves out the variants of a change that the check does not show, and says so', async () => {
    await link(owner, 7005);
    await fixture.takeRun(world, runId);
    await fixture.settleRun(world, owner, runId, [fixture.changedScreenshot(suite), fixture.changedScreenshot(suite)]);
    const { results } = await readRun(world.ctx, owner, runId, 'suite.read');
    for (const [at, result] of results.entries()) {
      await replaceChanges(world.db, result, [changeOf('d', { picture: `${at}`.repeat(32) })]);
    }
    const check = await readRunCheck(world.db, runId);
    const [first, second] = check?.changes.groups[0]?.variants ?? [];
    const approved = async () =>
      (await readRun(world.ctx, owner, runId, 'suite.read')).results.filter((result) => result.approved).length;
    const press = () => requested('requested_action', { button: 'approve', sender: { id: 7005, login: 'octocat' } });
    await press();
    expect([await approved(), await notice()]).toEqual([
      0,
      '@octocat approved what this check shows. 2 screenshots left out: a change was not shown as it looks there.',
    ]);
    const shown = { state: 'shown' as const, fingerprint: 'f', status: 'completed' as const, conclusion: null };
    await keepCheckShown(world.db, runId, { ...shown, variants: [first?.id ?? ''] });
    await press();
    expect(await approved()).toBe(1);
    await keepCheckShown(world.db, runId, { ...shown, variants: [first?.id ?? '', second?.id ?? ''] });
    await press();
    expect([await approved(), await notice()]).toEqual([2, null]);
    await world.db('accounts').where({ provider_account_id: '7005' }).delete();
  });

  it('is refused where the run has changed since GitHub was told of it', async () => {
    await link(owner, 7006);
    await finish();
    const shown = { state: 'shown' as const, fingerprint: 'f', status: 'completed' as const, conclusion: null };
    const press = async (shownAt = new Date(0)) => {
      await keepCheckShown(world.db, runId, shown, { shownAt });
      await requested('requested_action', { button: 'approve', sender: { id: 7006, login: 'octocat' } });
      return (await readRun(world.ctx, owner, runId, 'suite.read')).run.reviewState;
    };
    expect([await press(), await notice()]).toEqual(['PENDING', expect.stringContaining('Look at it again.')]);
    expect([await press((await readRunCheck(world.db, runId))?.readAt), await notice()]).toEqual(['APPROVED', null]);
    await world.db('accounts').where({ provider_account_id: '7006' }).delete();
  });

  it('is refused on a page of GitHub that shows an older state of the check', async () => {
    await link(owner, 7011);
    await finish();
    const readButton = async () => {
      const check = await readRunCheck(world.db, runId);
      const desired = check && decideCheck(check, null, checkLinks(world.ctx.config, check.run, false));
      return desired?.actions[0]?.identifier ?? 'none';
    };
    const before = await readButton();
    const { results } = await readRun(world.ctx, owner, runId, 'suite.read');
    for (const result of results.filter(({ status }) => status === 'PASS'))
      await changeJudgedResult(world.db, result, { status: 'FAIL', cause: 'CHANGE', diffScore: 5 });
    const now = await readButton();
    const shown = { state: 'shown' as const, fingerprint: 'f', status: 'completed' as const, conclusion: null };
    const press = async (button: string) => {
      const { readAt: shownAt = new Date(0) } = (await readRunCheck(world.db, runId)) ?? {};
      await keepCheckShown(world.db, runId, { ...shown, buttons: [now] }, { shownAt });
      await requested('requested_action', { button, sender: { id: 7011, login: 'octocat' } });
      return (await readRun(world.ctx, owner, runId, 'suite.read')).run.reviewState;
    };
    expect([await press(before), await notice()]).toEqual(['PENDING', expect.stringContaining('Look at it again.')]);
    expect([await press(now), await notice()]).toEqual(['APPROVED', null]);
    await world.db('accounts').where({ provider_account_id: '7011' }).delete();
  });

  it('is refused while a judgment has changed results of which GitHub is told at its end', async () => {
    await link(owner, 7009);
    await finish(0);
    const { readAt = new Date(0) } = (await readRunCheck(world.db, runId)) ?? {};
    const shown = { state: 'shown' as const, fingerprint: 'f', status: 'completed' as const, conclusion: null };
    await keepCheckShown(world.db, runId, shown, { shownAt: readAt });
    const { results } = await readRun(world.ctx, owner, runId, 'suite.read');
    for (const result of results)
      await changeJudgedResult(world.db, result, { status: 'FAIL', cause: 'CHANGE', diffScore: 5 });
    await requested('requested_action', { button: 'approve', sender: { id: 7009, login: 'octocat' } });
    const after = await readRun(world.ctx, owner, runId, 'suite.read');
    expect(after.results.map(({ approved }) => approved)).toEqual([false, false]);
    expect(await notice()).toContain('Look at it again.');
    await world.db('accounts').where({ provider_account_id: '7009' }).delete();
  });

  it('is refused where a merge is approved late, and something newer is the baseline', async () => {
    await link(owner, 7010);
    await finishedRun(world, owner, suite, () => 'a');
    await finish();
    await fixture.changePullRequest(world, { ...pull, state: 'MERGED' });
    const { run } = await finishedRun(world, owner, suite, () => 'c');
    await approveRun(world.ctx, owner, run.id, {});
    await requested('requested_action', { button: 'approve', sender: { id: 7010, login: 'octocat' } });
    expect((await readRun(world.ctx, owner, runId, 'suite.read')).run.reviewState).toBe('PENDING');
    expect(await notice()).toContain('Version 2 of /a at desktop was approved after this run.');
    await world.db('accounts').where({ provider_account_id: '7010' }).delete();
  });

  it('is refused where GitHub has refused to be told of the run as it is', async () => {
    await link(owner, 7008);
    await finish();
    await keepCheckShown(world.db, runId, { state: 'gone', reason: 'The repository is archived' });
    await requested('requested_action', { button: 'approve', sender: { id: 7008, login: 'octocat' } });
    expect((await readRun(world.ctx, owner, runId, 'suite.read')).run.reviewState).toBe('PENDING');
    expect(await notice()).toContain('Look at it again.');
    await world.db('accounts').where({ provider_account_id: '7008' }).delete();
  });

  it('is refused where the check does not show what the pull request loosens', async () => {
    await link(owner, 7007);
    await finish(0);
    const loosened = 'f'.repeat(64);
    await world.db('test_runs').where({ id: runId }).update({ settings_hash: loosened, review_state: 'PENDING' });
    const shown = { state: 'shown' as const, fingerprint: 'f', status: 'completed' as const, conclusion: null };
    const press = async (settings: string | null) => {
      const { readAt: shownAt = new Date(0) } = (await readRunCheck(world.db, runId)) ?? {};
      await keepCheckShown(world.db, runId, { ...shown, settings }, { shownAt });
      await requested('requested_action', { button: 'approve', sender: { id: 7007, login: 'octocat' } });
      return (await readRun(world.ctx, owner, runId, 'suite.read')).run.reviewState;
    };
    expect([await press(null), await notice()]).toEqual(['PENDING', expect.stringContaining('Look at them again.')]);
    expect([await press(loosened), await notice()]).toEqual(['APPROVED', null]);
    await world.db('accounts').where({ provider_account_id: '7007' }).delete();
  });

  it('takes a refusal back once somebody has approved', async () => {
    await finish();
    await requested('requested_action', { button: 'approve', sender: { id: 7003, login: 'mallory' } });
    expect(await notice()).not.toBeNull();
    await link(owner, 7004);
    await requested('requested_action', { button: 'approve', sender: { id: 7004, login: 'octocat' } });
    expect(await notice()).toBeNull();
  });
});

describe('the button "Re-run errors"', () => {
  it('takes every error of the run again, and nothing where there is none', async () => {
    await fixture.takeRun(world, runId);
    await fixture.settleRun(world, owner, runId, [null, fixture.sameScreenshot(suite)]);
    await requested('requested_action', { button: 'rerun_errors' });
    const { run, results } = await readRun(world.ctx, owner, runId, 'suite.read');
    expect(run.status).toBe('RUNNING');
    expect(results.map((result) => result.status)).toEqual(['PENDING', 'PASS']);
    await fixture.settleRun(world, owner, runId, [fixture.sameScreenshot(suite)]);
    await requested('requested_action', { button: 'rerun_errors' });
    expect((await readRun(world.ctx, owner, runId, 'suite.read')).run.status).toBe('COMPLETED');
  });
});

describe('what means nothing to us', () => {
  it('is taken and changes nothing: our own checks, unknown buttons', async () => {
    await finish();
    await deliver('check_run', checkRunEvent('completed', { id: checks, headSha: pull.headSha }));
    await requested('requested_action', { button: 'launch_rockets' });
    expect(await attempts()).toHaveLength(1);
    expect(await isTold()).toBe(false);
  });
});

describe('a merge group', () => {
  const judgments = async (): Promise<{ payload: unknown }[]> => {
    const { rows } = await world.db.raw(
      `select payload from graphile_worker._private_jobs where key like 'merge-group/acme/site/%'`,
    );
    await world.db.raw(
      `select graphile_worker.remove_job(key) from graphile_worker.jobs where key like 'merge-group/%'`,
    );
    return rows;
  };
  const headSha = 'd'.repeat(40);
  const headRef = 'refs/heads/gh-readonly-queue/main/pr-104-929f8209d40f77f4abc622a499c93a83babdbe64';

  it('is judged once, and again when its check is re-run', async () => {
    await deliver('merge_group', mergeGroupEvent('checks_requested', { headSha, headRef }));
    await deliver('merge_group', mergeGroupEvent('checks_requested', { headSha, headRef }));
    expect(await judgments()).toEqual([
      { payload: { owner: 'acme', repo: 'site', headSha, headRef, installationId: 12 } },
    ]);
    await requested('rerequested', { id: 5, headSha, branch: headRef.slice('refs/heads/'.length) });
    expect(await judgments()).toHaveLength(1);
    await deliver('check_suite', checkSuiteEvent({ headSha, branch: headRef.slice('refs/heads/'.length) }));
    expect(await judgments()).toHaveLength(1);
  });

  it('is forgotten when it is destroyed', async () => {
    const pull = await fixture.newPullRequest(world);
    const group = { ...fixture.REPOSITORY, headSha, headRef, numbers: [pull.number] };
    await keepMergeGroup(world.db, group, pull.number);
    await deliver('merge_group', mergeGroupEvent('destroyed', { headSha: 'e'.repeat(40), headRef }));
    expect(await findMergeGroups(world.db, pull)).toMatchObject([{ headSha, headRef }]);
    await deliver('merge_group', mergeGroupEvent('destroyed', { headSha, headRef }));
    expect(await findMergeGroups(world.db, pull)).toEqual([]);
  });

  it('needs no answer when it is destroyed, or its repository has no suite', async () => {
    await deliver('merge_group', mergeGroupEvent('destroyed', { headSha, headRef }));
    await fixture.unlink(world, suite);
    await deliver('merge_group', mergeGroupEvent('checks_requested', { headSha, headRef }));
    expect(await judgments()).toEqual([]);
  });
});

describe('an installation that is no longer suspended', () => {
  it('has the checks shown that GitHub refused meanwhile', async () => {
    const refused = { state: 'gone' as const, reason: 'This installation has been suspended' };
    await keepCheckShown(world.db, runId, refused, { shownAt: new Date() });
    await forget();
    const account = { login: 'acme', type: 'Organization' };
    const facts = { id: 12, account, permissions: {}, events: [], suspended_at: null };
    const installation = { ...facts, updated_at: new Date().toISOString() };
    await deliver('installation', { action: 'new_permissions_accepted', installation });
    expect(await isTold()).toBe(false);
    await deliver('installation', { action: 'unsuspend', installation });
    expect(await isTold()).toBe(true);
  });
});
