import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DeploymentStatusEvent, PullRequestEvent, StatusEvent } from '@octokit/webhooks-types';
import type { Viewer } from '../../../src/auth/user.ts';
import { json } from '../../../src/db/json.ts';
import { placeMergeDeployment, pruneSignals } from '../../../src/github/previews/record-signal.ts';
import { PullRequestShape } from '../../../src/github/webhooks/event-shapes.ts';
import { readPullRequestEvent } from '../../../src/github/webhooks/on-pull-request.ts';
import { followPullRequest } from '../../../src/pull-requests/follow-pull-request.ts';
import { lockPullRequests } from '../../../src/pull-requests/pull-request-store.ts';
import { openPullRequestRun } from '../../../src/pull-requests/start-pull-request-run.ts';
import { linkedSuites } from '../../../src/suites/linked-suites.ts';
import type { SuiteForViewer } from '../../../src/suites/suite.ts';
import { createTestDatabase, someoneWaits } from '../../support/database.ts';
import { nock, stubHttp } from '../../support/stub-http.ts';
import { handleEvent, takeDelivery } from '../../support/take-deliveries.ts';
import { newViewer, type World } from '../../support/world.ts';
import * as fixture from '../check-world.ts';
import { deploymentEvent, pullRequestEvent, sha, statusEvent, type PullRequestSaid } from './pull-request-payloads.ts';

stubHttp();

let world: World;
let owner: Viewer;
let suite: SuiteForViewer;
let number = 5000;

const database = await createTestDatabase();
afterAll(() => database.drop());
beforeEach(async () => {
  number += 1;
  world = fixture.connectedWorld(database.db);
  owner = await newViewer(world);
  suite = await fixture.linkedSuite(world, owner, ['/', '/a']);
});
afterEach(() => fixture.unlink(world, suite));

const deliver = (name: string, payload: PullRequestEvent | DeploymentStatusEvent | StatusEvent) =>
  handleEvent(world.ctx, name, payload);

const say = (action: PullRequestEvent['action'], said: Omit<PullRequestSaid, 'number'>) =>
  deliver('pull_request', pullRequestEvent(action, { number, ...said }));

type Seen = { head: string; attempt: number; status: string; reason: string | null; by: string | null };

async function runs(): Promise<Seen[]> {
  return world
    .db('test_runs')
    .where({ run_type: 'PR', git_pr_number: number })
    .orderBy(['created_at', 'git_attempt'])
    .select<Seen[]>(
      'git_head_sha as head',
      'git_attempt as attempt',
      'status',
      world.db.raw("metadata ->> 'reason' as reason"),
      world.db.raw("metadata ->> 'by' as by"),
    );
}

async function jobs(name: string): Promise<{ key: string; runAt: Date }[]> {
  return world
    .db('graphile_worker.jobs')
    .where({ task_identifier: name })
    .orderBy('id')
    .select<{ key: string; runAt: Date }[]>('key', 'run_at');
}

const A = () => sha(`a${number}`);
const B = () => sha(`b${number}`);
const C = () => sha(`c${number}`);
const waiting = (head: string, attempt = 1) => ({ head, attempt, status: 'PENDING', reason: null, by: null });
const superseded = (head: string, by: string, attempt = 1) => ({
  head,
  attempt,
  status: 'CANCELLED',
  reason: 'superseded',
  by,
});

describe('a pull request', () => {
  it('gets a run that waits for its preview, with a check and both jobs', async () => {
    await say('opened', { head: A(), at: 0 });
    expect(await runs()).toEqual([waiting(A())]);
    const row = await world.db('test_runs').where({ git_pr_number: number }).first();
    expect(row).toMatchObject({
      gitOwner: 'acme',
      gitRepo: 'site',
      gitBranch: 'feature/look',
      gitInstallationId: 12,
      gitEnqueued: false,
      checkName: 'Pixelgate',
      targetBaseUrl: '',
    });
    expect(row.previewDeadline.getTime() - row.createdAt.getTime()).toBe(world.ctx.config.previewTimeout);
    const [search, expiry, check] = await Promise.all(['find-preview', 'expire-preview', 'show-check'].map(jobs));
    expect(search?.some((job) => job.key === `preview/${row.id}`)).toBe(true);
    expect(expiry?.find((job) => job.key === `expire/${row.id}`)?.runAt).toEqual(row.previewDeadline);
    expect(check?.some((job) => job.key === `check/${row.id}`)).toBe(true);
  });

  it('has one run a head, however often its events come', async () => {
    for (const action of ['opened', 'opened', 'ready_for_review', 'reopened'] as const) {
      await say(action, { head: A(), at: 0 });
    }
    expect(await runs()).toEqual([waiting(A())]);
  });

  it('has one run a head when two deliveries are handled at once', async () => {
    await Promise.all([1, 2, 3].map(() => say('opened', { head: A(), at: 0 })));
    expect(await runs()).toEqual([waiting(A())]);
  });

  it('has its older run cancelled by a push', async () => {
    await say('opened', { head: A(), at: 0 });
    await say('synchronize', { head: B(), at: 9, before: A() });
    expect(await runs()).toEqual([superseded(A(), B()), waiting(B())]);
  });

  it('has what is being captured cancelled by a push, its results too', async () => {
    await say('opened', { head: A(), at: 0 });
    const { id } = await world.db('test_runs').where({ git_pr_number: number }).first('id');
    await openPullRequestRun(world.ctx, id, { address: 'https://preview.test/', buildId: null });
    await say('synchronize', { head: B(), at: 9, before: A() });
    const results = await world.db('page_results').where({ test_run_id: id }).select('status');
    expect(results).toEqual([{ status: 'CANCELLED' }, { status: 'CANCELLED' }]);
  });

  it('follows its newest head when events overtake one another', async () => {
    await say('synchronize', { head: C(), at: 9, before: B() });
    await say('opened', { head: A(), at: 0 });
    await say('synchronize', { head: B(), at: 5, before: A() });
    expect(await runs()).toEqual([waiting(C())]);
  });

  it('is run when only a later event tells of its push', async () => {
    await say('opened', { head: A(), at: 0 });
    await say('edited', { head: B(), at: 20 });
    const expected = [superseded(A(), B()), waiting(B())];
    expect(await runs()).toEqual(expected);
    await say('synchronize', { head: B(), before: A(), at: 10 });
    expect(await runs()).toEqual(expected);
  });

  it('follows its newest head within one second of GitHub’s clock', async () => {
    await say('synchronize', { head: B(), at: 0, before: A() });
    await say('opened', { head: A(), at: 0 });
    await say('synchronize', { head: C(), at: 0, before: B() });
    await say('labeled', { head: A(), at: 0 });
    expect(await runs()).toEqual([superseded(B(), C()), waiting(C())]);
  });

  it('is run again when a force-push brings an older head back', async () => {
    await say('opened', { head: A(), at: 0 });
    await say('synchronize', { head: B(), at: 5, before: A() });
    await say('synchronize', { head: A(), at: 9, before: B() });
    expect(await runs()).toEqual([superseded(A(), B()), superseded(B(), A()), waiting(A(), 2)]);
  });

  it('keeps the head that a force-push brought back when the push before it is told of late', async () => {
    await say('opened', { head: A(), at: 0 });
    await say('synchronize', { head: A(), at: 9, before: B() });
    await say('synchronize', { head: B(), at: 5, before: A() });
    expect(await runs()).toEqual([waiting(A())]);
  });

  it('has its runs cancelled when it is closed, and others when it is open again', async () => {
    await say('opened', { head: A(), at: 0 });
    await say('closed', { head: A(), at: 5 });
    const closed = { head: A(), attempt: 1, status: 'CANCELLED', reason: 'pull_request_closed', by: null };
    expect(await runs()).toEqual([closed]);
    await say('synchronize', { head: A(), at: 4, before: B() });
    expect(await runs()).toEqual([closed]);
    await say('reopened', { head: A(), at: 9 });
    expect(await runs()).toEqual([closed, waiting(A(), 2)]);
  });

  it('stays closed when a reopening is told of after it was closed again', async () => {
    await say('opened', { head: A(), at: 0 });
    await say('closed', { head: A(), at: 9 });
    await say('reopened', { head: A(), at: 5 });
    await say('closed', { head: A(), at: 3 });
    expect(await runs()).toMatchObject([{ attempt: 1, reason: 'pull_request_closed' }]);
    expect(await world.db('pull_requests').where({ number }).pluck('state')).toEqual(['CLOSED']);
  });

  it('is run when it is told of while its repository is being renamed', async () => {
    await fixture.unlink(world, suite);
    suite = await fixture.linkedSuite(world, owner, ['/'], { owner: 'Acme', repo: 'Old' });
    const repository = { name: 'Site', full_name: 'Acme/Site', owner: { login: 'Acme' } };
    const renamed = { action: 'renamed', repository, changes: { repository: { name: { from: 'Old' } } } };
    const opened = pullRequestEvent('opened', { number, head: A(), at: 0 });
    // The queue then knows this kind of job, and no transaction waits for another one because of that.
    await takeDelivery(world.ctx, {
      id: randomUUID(),
      name: 'repository',
      payload: { ...renamed, action: 'archived' },
    });
    let told: Promise<void> = Promise.resolve();
    await world.db.transaction(async (trx) => {
      await takeDelivery({ ...world.ctx, db: trx }, { id: randomUUID(), name: 'repository', payload: renamed });
      told = takeDelivery(world.ctx, { id: randomUUID(), name: 'pull_request', payload: opened });
      await Promise.race([told, someoneWaits(world.db)]);
    });
    await told;
    expect(await runs()).toEqual([waiting(A())]);
  });

  it('moves with its repository when it is told of under the old name at that moment', async () => {
    await fixture.unlink(world, suite);
    const old = { owner: 'acme', repo: 'old' };
    suite = await fixture.linkedSuite(world, owner, ['/'], old);
    const repository = { name: 'Site', full_name: 'Acme/Site', owner: { login: 'Acme' } };
    const payload = { action: 'renamed', repository, changes: { repository: { name: { from: 'Old' } } } };
    const event = PullRequestShape.parse(pullRequestEvent('opened', { number, head: A(), at: 0 }));
    const opened = readPullRequestEvent(event, 12);
    let renamed: Promise<void> = Promise.resolve();
    await world.db.transaction(async (trx) => {
      await lockPullRequests(trx, old);
      const suites = await linkedSuites({ db: trx, config: world.ctx.config }, old);
      renamed = takeDelivery(world.ctx, { id: randomUUID(), name: 'repository', payload });
      await Promise.race([renamed, someoneWaits(world.db)]);
      await followPullRequest(trx, world.ctx, suites, [{ ...opened, pullRequest: { ...opened.pullRequest, ...old } }]);
    });
    await renamed;
    const at = await world.db('test_runs').where({ git_pr_number: number }).pluck('git_repo');
    expect([at, await world.db('pull_requests').where({ number }).pluck('repo')]).toEqual([['site'], ['site']]);
  });

  it('starts nothing when it was closed before its opening is heard of', async () => {
    await say('closed', { head: A(), at: 5 });
    await say('opened', { head: A(), at: 0 });
    expect(await runs()).toEqual([]);
  });

  it('starts nothing for what a user cancelled', async () => {
    await say('opened', { head: A(), at: 0 });
    await world
      .db('test_runs')
      .where({ git_pr_number: number })
      .update({ status: 'CANCELLED', metadata: JSON.stringify({ reason: 'cancelled by a user' }) });
    await say('ready_for_review', { head: A(), at: 9 });
    expect((await runs()).map((run) => run.attempt)).toEqual([1]);
  });

  it('stays merged, whatever comes late, and its promotion is queued', async () => {
    await say('opened', { head: A(), at: 0 });
    await say('closed', { head: A(), at: 5, merged: true });
    await say('synchronize', { head: B(), at: 9, before: A() });
    await say('reopened', { head: A(), at: 9 });
    expect(await runs()).toEqual([waiting(A())]);
    expect((await jobs('promote-pull-request')).map((job) => job.key)).toContain(`promote/acme/site/${number}`);
  });

  it('has a run of the head that was merged, although that push is told of late', async () => {
    await say('opened', { head: A(), at: 0 });
    await say('closed', { head: B(), at: 5, merged: true });
    await say('synchronize', { head: B(), at: 4, before: A() });
    const heads = await world
      .db('test_runs')
      .where({ git_pr_number: number })
      .orderBy('created_at')
      .select('git_head_sha as head', 'git_merged as merged');
    expect(heads).toEqual([
      { head: A(), merged: true },
      { head: B(), merged: true },
    ]);
  });

  it('is promoted when it is merged while its suite is not active', async () => {
    await say('opened', { head: A(), at: 0 });
    await world.db('test_suites').where({ id: suite.id }).update({ is_active: false });
    await say('closed', { head: A(), at: 5, merged: true });
    expect((await jobs('promote-pull-request')).map((job) => job.key)).toContain(`promote/acme/site/${number}`);
  });

  it('of a suite without tracked pages ends at once, with nothing to do', async () => {
    await world.db('site_pages').where({ test_suite_id: suite.id }).update({ tracked: false });
    await say('opened', { head: A(), at: 0 });
    expect(await runs()).toEqual([{ ...waiting(A()), status: 'COMPLETED', reason: 'no_tracked_pages' }]);
  });

  it('of a suite whose tracked pages are all gone fails, and runs again once they are found', async () => {
    const pages = world.db('site_pages').where({ test_suite_id: suite.id });
    await pages.clone().update({ status: 'REMOVED' });
    await say('opened', { head: A(), at: 0 });
    expect(await runs()).toEqual([{ ...waiting(A()), status: 'FAILED', reason: 'tracked_pages_removed' }]);
    await pages.clone().update({ status: 'ACTIVE' });
    await say('closed', { head: A(), at: 5 });
    await say('reopened', { head: A(), at: 9 });
    expect((await runs()).map(({ reason }) => reason)).toEqual(['tracked_pages_removed', null]);
  });

  it('without a tracked page is run when it is opened again after one was tracked', async () => {
    const track = (tracked: boolean) => world.db('site_pages').where({ test_suite_id: suite.id }).update({ tracked });
    await track(false);
    await say('opened', { head: A(), at: 0 });
    await track(true);
    await say('closed', { head: A(), at: 5 });
    await say('reopened', { head: A(), at: 9 });
    expect((await runs()).map(({ reason }) => reason)).toEqual(['no_tracked_pages', null]);
  });

  it('is left alone where no active suite is linked', async () => {
    await world.db('test_suites').where({ id: suite.id }).update({ is_active: false });
    await say('opened', { head: A(), at: 0 });
    await fixture.unlink(world, suite);
    await say('synchronize', { head: B(), at: 1 });
    expect(await runs()).toEqual([]);
  });

  it('of several suites has a run for each, with checks of different names', async () => {
    const other = await fixture.linkedSuite(world, owner, ['/']);
    await say('opened', { head: A(), at: 0 });
    const names = await world
      .db('test_runs')
      .where({ git_pr_number: number })
      .orderBy('check_name')
      .select('check_name');
    expect(names.map((row) => row.checkName)).toEqual(['Pixelgate', 'Pixelgate / Site']);
    await fixture.unlink(world, other);
  });
});

describe('a deployment', () => {
  const previews = () =>
    world.db('preview_signals').where({ head_sha: A() }).orderBy('source').select('source', 'name', 'url');

  it('is kept when it comes before its pull request, and none of production or without an address', async () => {
    await deliver(
      'deployment_status',
      deploymentEvent({ head: A(), url: 'https://p.test/', environment: 'production' }),
    );
    await deliver('deployment_status', deploymentEvent({ head: A(), url: 'https://p.test/', state: 'in_progress' }));
    await deliver('deployment_status', deploymentEvent({ head: A(), url: '' }));
    await deliver('deployment_status', deploymentEvent({ head: A(), url: 'https://p.test/' }));
    await deliver('status', statusEvent({ head: A(), url: null }));
    expect(await previews()).toEqual([
      { source: 'DEPLOYMENT', name: 'Preview', url: 'https://p.test/' },
      { source: 'STATUS', name: 'deploy', url: null },
    ]);
  });

  /** The last attempt, with what it captures or why it ended. */
  const settle = (said: object) => world.db('test_runs').where({ git_pr_number: number, git_attempt: 1 }).update(said);
  const used = (url: string, id = 1) => ({
    git_preview_search: json({
      matcher: null,
      fallback: null,
      used: { source: 'DEPLOYMENT' as const, name: 'Preview', project: '', readyKey: `${id} ${url}` },
      candidates: [],
      failed: null,
    }),
  });
  type Deployed = { state?: 'success' | 'failure' | 'pending'; environment?: string; url?: string };
  const deployed = (id: number, said: Deployed = {}) =>
    deliver('deployment_status', deploymentEvent({ head: A(), url: 'https://p.test/', id, ...said }));

  it('that replaces the one that is captured has the commit captured anew, once', async () => {
    await say('opened', { head: A(), at: 0 });
    await deployed(1);
    await settle({ status: 'RUNNING', git_enqueued: true, ...used('https://p.test/') });
    await deployed(1);
    await deployed(2, { state: 'pending' });
    await deployed(1);
    await deployed(2, { environment: 'other' });
    expect(await runs()).toHaveLength(1);
    await deployed(3);
    await deployed(3);
    await deployed(2);
    expect(await runs()).toEqual([
      { head: A(), attempt: 1, status: 'CANCELLED', reason: 'preview_replaced', by: null },
      waiting(A(), 2),
    ]);
  });

  it('that follows one that failed starts another attempt when it begins, and none when it failed too', async () => {
    await say('opened', { head: A(), at: 0 });
    await deployed(1, { state: 'failure' });
    await settle({ status: 'FAILED', metadata: JSON.stringify({ reason: 'preview_failed' }) });
    await deployed(2, { state: 'failure' });
    expect(await runs()).toHaveLength(1);
    await deployed(3, { state: 'pending' });
    await deployed(3, { state: 'pending' });
    expect((await runs()).map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 'FAILED'],
      [2, 'PENDING'],
    ]);
  });

  it('that tells nothing apart leaves the question as it is', async () => {
    await say('opened', { head: A(), at: 0 });
    await deployed(1);
    await settle({ status: 'FAILED', metadata: JSON.stringify({ reason: 'preview_ambiguous' }) });
    await deployed(2, { environment: 'Preview – docs', url: 'https://docs.test/' });
    expect(await runs()).toHaveLength(1);
  });

  it('of a test merge counts for the head that it merged, once GitHub has said which', async () => {
    await say('opened', { head: A(), at: 0 });
    const merge = { head: C(), url: 'https://p.test/', ref: `refs/pull/${number}/merge` };
    await deliver('deployment_status', deploymentEvent(merge));
    expect(await previews()).toEqual([]);
    nock('http://github.test')
      .get(`/api/v3/repos/acme/site/git/commits/${C()}`)
      .reply(200, { sha: C(), parents: [{ sha: B() }, { sha: A() }] });
    fixture.letIn();
    const job = { owner: 'acme', repo: 'site', mergeSha: C(), installationId: 12 };
    await placeMergeDeployment(world.ctx, job);
    expect(await previews()).toEqual([{ source: 'DEPLOYMENT', name: 'Preview', url: 'https://p.test/' }]);
    nock.cleanAll();
  });

  it('has the run that waits look at once', async () => {
    await say('opened', { head: A(), at: 0 });
    const { id } = await world.db('test_runs').where({ git_pr_number: number }).first('id');
    const later = new Date(Date.now() + 60_000);
    await world
      .db('graphile_worker._private_jobs')
      .where({ key: `preview/${id}` })
      .update({ run_at: later });
    await deliver('deployment_status', deploymentEvent({ head: A(), url: 'https://p.test/' }));
    const job = (await jobs('find-preview')).find((each) => each.key === `preview/${id}`);
    expect(job?.runAt.getTime()).toBeLessThan(later.getTime());
  });

  it('that comes after its run gave up makes another attempt, once', async () => {
    await say('opened', { head: A(), at: 0 });
    await world
      .db('test_runs')
      .where({ git_pr_number: number })
      .update({ status: 'FAILED', metadata: JSON.stringify({ reason: 'preview_timeout' }) });
    for (let time = 0; time < 2; time += 1) {
      await deliver('deployment_status', deploymentEvent({ head: A(), url: 'https://p.test/' }));
    }
    expect((await runs()).map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 'FAILED'],
      [2, 'PENDING'],
    ]);
  });

  it('that failed its probe fails once, until it is at another address', async () => {
    await say('opened', { head: A(), at: 0 });
    await deliver('deployment_status', deploymentEvent({ head: A(), url: 'https://p.test/' }));
    await world
      .db('test_runs')
      .where({ git_pr_number: number })
      .update({ status: 'FAILED', metadata: JSON.stringify({ reason: 'preview_unusable' }) });
    await deliver('deployment_status', deploymentEvent({ head: A(), url: 'https://p.test/' }));
    expect(await runs()).toHaveLength(1);
    await deliver('deployment_status', deploymentEvent({ head: A(), url: 'https://q.test/' }));
    expect(await runs()).toHaveLength(2);
  });

  it('starts a run of a pull request that was opened before its suite was linked, and a build starts none', async () => {
    await fixture.newPullRequest(world, { number, headSha: A() });
    await deliver('status', statusEvent({ head: A(), url: 'https://ci.test/' }));
    expect(await runs()).toEqual([]);
    await deployed(1);
    expect(await runs()).toEqual([waiting(A())]);
  });

  it('beyond those that are kept of a commit is not kept, unless it is of a preview', async () => {
    const build = { owner: 'acme', repo: 'site', head_sha: A(), source: 'STATUS' as const };
    const rows = Array.from({ length: 200 }, (_, index) => ({ ...build, name: `ci/${index}` }));
    await world.db('preview_signals').insert(rows);
    await deliver('status', statusEvent({ head: A(), url: null }));
    await deployed(1);
    expect(
      await world.db('preview_signals').where({ head_sha: A() }).whereNot('name', 'like', 'ci/%').pluck('name'),
    ).toEqual(['Preview']);
  });

  it('among those that are kept of a commit is followed, however many there are', async () => {
    await deliver('status', { ...statusEvent({ head: A(), url: null }), state: 'pending' });
    const build = { owner: 'acme', repo: 'site', head_sha: A(), source: 'STATUS' as const };
    const rows = Array.from({ length: 200 }, (_, index) => ({ ...build, name: `ci/${index}` }));
    await world.db('preview_signals').insert(rows);
    await deliver('status', statusEvent({ head: A(), url: 'https://p.test/' }));
    const [known] = await world.db('preview_signals').where({ head_sha: A() }).whereNot('name', 'like', 'ci/%');
    expect(known).toMatchObject({ state: 'READY', url: 'https://p.test/' });
  });

  it('is forgotten after 30 days, save that of an open pull request’s head', async () => {
    await say('opened', { head: A(), at: 0 });
    for (const head of [A(), B()])
      await deliver('deployment_status', deploymentEvent({ head, url: 'https://p.test/' }));
    const later = { now: () => new Date(Date.now() + 31 * 86_400_000) };
    await pruneSignals({ ...world.ctx, clock: later });
    const kept = await world.db('preview_signals').whereIn('head_sha', [A(), B()]).select('head_sha');
    expect(kept).toEqual([{ headSha: A() }]);
  });
});
