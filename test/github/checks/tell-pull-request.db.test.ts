import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../../src/auth/user.ts';
import type { Row } from '../../../src/db/row.ts';
import { showCheck } from '../../../src/github/checks/show-check.ts';
import { tellPullRequest } from '../../../src/github/checks/tell-pull-request.ts';
import type { PullRequest } from '../../../src/pull-requests/pull-request.ts';
import { replaceChanges } from '../../../src/runs/results/change-store.ts';
import type { SuiteConfigInput } from '../../../src/suites/config/suite-config.ts';
import { changeOf } from '../../support/changes.ts';
import { createTestDatabase } from '../../support/database.ts';
import { decide, readRun } from '../../support/requests.ts';
import { nock, stubHttp } from '../../support/stub-http.ts';
import { newViewer, type OwnSuite, type World } from '../../support/world.ts';
import * as fixture from '../check-world.ts';

stubHttp();

const REPO = '/api/v3/repos/acme/site';
const MARKER = '<!-- pixelgate: https://gate.example.com -->';

let world: World;
let viewer: Viewer;
let docs: OwnSuite;
let pull: PullRequest;

const database = await createTestDatabase();
afterAll(() => database.drop());
beforeEach(async () => {
  world = fixture.connectedWorld(database.db);
  viewer = await newViewer(world);
  docs = await fixture.linkedSuite(world, viewer, ['/a', '/b']);
  pull = await fixture.newPullRequest(world);
  fixture.letIn();
});
afterEach(async () => {
  await world.db('test_suites').delete();
  fixture.leaveNothing();
});

const OFF = { pullRequestComment: false, summaryCheck: false };
const set = async (suite: OwnSuite, config: SuiteConfigInput, name = 'Docs') =>
  world
    .db('test_suites')
    .where({ id: suite.id })
    .update({ config: world.db.raw('config || ?::jsonb', [JSON.stringify({ ...OFF, ...config })]), name });
const tell = async () => tellPullRequest(world.ctx, pull, async () => true);
const shown = async (): Promise<Shown> =>
  world.db('pull_requests').where({ number: pull.number }).first('comment_shown', 'summary_shown');

type Shown = Pick<Row<'pull_requests'>, 'commentShown' | 'summaryShown'>;
type Sent = { body: string };
const api = () => nock('http://github.test');
function expectComments(...bodies: { id: number; body: string; app?: number }[]): void {
  const comments = bodies.map(({ id, body, app }) => ({
    id,
    body,
    performed_via_github_app: app === undefined ? null : { id: app },
  }));
  api().get(`${REPO}/issues/${pull.number}/comments`).query({ per_page: '100' }).reply(200, comments);
}
function expectComment(method: 'post' | 'patch', id: number, status = 200): string[] {
  const told: string[] = [];
  const path = method === 'post' ? `${REPO}/issues/${pull.number}/comments` : `${REPO}/issues/comments/${id}`;
  const asked = method === 'post' ? api().post(path) : api().patch(path);
  asked.reply(status, (_, sent) => {
    told.push((sent as Sent).body);
    return { id };
  });
  return told;
}

async function endRun(suite: OwnSuite, runId: string): Promise<void> {
  await fixture.takeRun(world, runId);
  await fixture.settleRun(world, viewer, runId, [fixture.changedScreenshot(suite), fixture.sameScreenshot(suite)]);
  const { results } = await readRun(world.ctx, viewer, runId, 'suite.read');
  const [changed] = results.filter(({ status }) => status === 'FAIL');
  if (changed !== undefined) await replaceChanges(world.db, changed, [changeOf('d')]);
}

describe('the comment on a pull request', () => {
  it('is off', async () => {
    await endRun(docs, await fixture.waitingRun(world, docs, pull));
    await tell();
    expect(await shown()).toEqual({ commentShown: null, summaryShown: null });
  });

  it('is made once a run has ended, with a part for each suite that asks, and edited in place', async () => {
    const shop = await fixture.linkedSuite(world, viewer, ['/c']);
    await set(docs, { pullRequestComment: true }, 'Docs @everyone');
    await set(shop, { pullRequestComment: true }, 'Shop');
    const [first, second] = [await fixture.waitingRun(world, docs, pull), await fixture.waitingRun(world, shop, pull)];
    await tell();
    await endRun(docs, first);
    expectComments({ id: 1, body: 'Looks good' }, { id: 2, body: `${MARKER} copied`, app: 99 });
    const made = expectComment('post', 700);
    await tell();
    expect(made).toHaveLength(1);
    expect(made[0]?.startsWith(MARKER)).toBe(true);
    expect(made[0]).toContain('### `Docs @everyone`');
    expect(made[0]).toContain('1 changed · 1 unchanged');
    expect(made[0]).toContain('#### 1 change');
    expect(made[0]).toContain('[![After](https://gate.example.com/files/suites/');
    expect(made[0]).toContain('### `Shop`\n\n`Waiting for a preview deployment of abc1234`');
    await tell();
    await fixture.takeRun(world, second);
    const edited = expectComment('patch', 700);
    await tell();
    expect(edited[0]).toContain('### `Shop`\n\n`Capturing`');
  });

  it('that was deleted comes again with the next run, and not before', async () => {
    await set(docs, { pullRequestComment: true });
    const runId = await fixture.waitingRun(world, docs, pull);
    await endRun(docs, runId);
    expectComments();
    expectComment('post', 701);
    await tell();
    await set(docs, { pullRequestComment: true }, 'Manual');
    expectComment('patch', 701, 404);
    await tell();
    expect((await shown()).commentShown).toMatchObject({ id: null, runs: [runId] });
    await set(docs, { pullRequestComment: true }, 'Handbook');
    await tell();
    pull = { ...pull, headSha: 'd'.repeat(40) };
    await fixture.changePullRequest(world, pull);
    await fixture.waitingRun(world, docs, pull);
    expectComments();
    const made = expectComment('post', 702);
    await tell();
    expect(made[0]).toContain('## Visual review of ddddddd');
  });

  it('whose answer was lost is found again', async () => {
    await set(docs, { pullRequestComment: true });
    await endRun(docs, await fixture.waitingRun(world, docs, pull));
    expectComments({ id: 703, body: `${MARKER}\n\nearlier`, app: 1 });
    expectComment('patch', 703);
    await tell();
    expect((await shown()).commentShown).toMatchObject({ id: 703 });
  });

  it('that GitHub refuses keeps nothing else from being shown, and is tried again', async () => {
    await set(docs, { pullRequestComment: true, summaryCheck: true });
    await endRun(docs, await fixture.waitingRun(world, docs, pull));
    fixture.expectListed('Pixelgate', []);
    fixture.expectCreated(800);
    expectComments();
    expectComment('post', 704, 403);
    await tell();
    expect(await shown()).toMatchObject({ commentShown: null, summaryShown: { id: 800 } });
  });

  it('waits when GitHub asks for it', async () => {
    await set(docs, { pullRequestComment: true });
    await endRun(docs, await fixture.waitingRun(world, docs, pull));
    api()
      .get(`${REPO}/issues/${pull.number}/comments`)
      .query(true)
      .reply(403, { message: 'You have exceeded a secondary rate limit' }, { 'retry-after': '90' });
    await tell();
    const jobs = await world.db('graphile_worker.jobs').where({ task_identifier: 'tell-pull-request' }).pluck('run_at');
    expect(jobs.some((at: Date) => at.getTime() > Date.now() + 60_000)).toBe(true);
    await world.db('github_pauses').delete();
  });
});

describe('the check over all suites', () => {
  it('has the default name, waits for all suites and passes with them', async () => {
    const shop = await fixture.linkedSuite(world, viewer, ['/c']);
    await set(shop, { summaryCheck: true }, 'Shop');
    const [first, second] = [await fixture.waitingRun(world, docs, pull), await fixture.waitingRun(world, shop, pull)];
    const names = await world.db('test_runs').whereIn('id', [first, second]).pluck('check_name');
    expect(names).not.toContain('Pixelgate');
    fixture.expectListed('Pixelgate', []);
    const created = fixture.expectCreated(801);
    await tell();
    expect(created).toMatchObject([{ name: 'Pixelgate', status: 'queued', head_sha: fixture.SHA }]);
    await fixture.takeRun(world, second);
    await fixture.settleRun(world, viewer, second, [fixture.sameScreenshot(shop)]);
    const waits = fixture.expectUpdated(801);
    await tell();
    expect(waits).toMatchObject([{ status: 'in_progress', output: { title: 'Waiting for 1 of 2 suites' } }]);
    await endRun(docs, first);
    const red = fixture.expectUpdated(801);
    await tell();
    expect(red).toMatchObject([{ conclusion: 'action_required' }]);
    await world.db('test_suites').where({ id: docs.id }).update({ is_active: false });
    const green = fixture.expectUpdated(801);
    await tell();
    expect(green).toMatchObject([{ conclusion: 'success', output: { title: '1 suite passed' } }]);
  });

  it('ends at a head that was replaced', async () => {
    await set(docs, { summaryCheck: true });
    await fixture.waitingRun(world, docs, pull);
    fixture.expectListed('Pixelgate', []);
    fixture.expectCreated(802);
    await tell();
    pull = { ...pull, headSha: 'e'.repeat(40) };
    await fixture.changePullRequest(world, pull);
    await fixture.waitingRun(world, docs, pull);
    const old = fixture.expectUpdated(802);
    fixture.expectListed('Pixelgate', [], pull.headSha);
    fixture.expectCreated(803);
    await tell();
    expect(old).toMatchObject([{ conclusion: 'cancelled' }]);
  });

  it('follows the suites at its head also when nobody asks for it any more', async () => {
    await set(docs, { summaryCheck: true });
    const runId = await fixture.waitingRun(world, docs, pull);
    await fixture.takeRun(world, runId);
    await fixture.settleRun(world, viewer, runId, [fixture.sameScreenshot(docs), fixture.sameScreenshot(docs)]);
    fixture.expectListed('Pixelgate', []);
    const green = fixture.expectCreated(805);
    await tell();
    expect(green).toMatchObject([{ conclusion: 'success' }]);
    await set(docs, {});
    await decide(world.ctx, viewer, runId, { decision: 'request_changes', note: 'Not yet' });
    const red = fixture.expectUpdated(805);
    await tell();
    expect(red).toMatchObject([{ conclusion: 'action_required' }]);
    await world.db('test_suites').where({ id: docs.id }).update({ is_active: false });
    const none = fixture.expectUpdated(805);
    await tell();
    expect(none).toMatchObject([{ conclusion: 'cancelled' }]);
  });

  it('leaves a head alone on which a suite has its name', async () => {
    await fixture.waitingRun(world, docs, pull);
    await set(docs, { summaryCheck: true });
    await tell();
    expect((await shown()).summaryShown).toBeNull();
  });
});

it('is queued after each change of a check but its progress', async () => {
  const runId = await fixture.waitingRun(world, docs, pull);
  const count = async () => {
    const jobs = world.db('graphile_worker.jobs').where({ key: `told/acme/site/${pull.number}` });
    const found = await jobs.clone().select('id');
    await world.db.raw('select graphile_worker.remove_job(?)', [`told/acme/site/${pull.number}`]);
    return found.length;
  };
  fixture.expectCreated(804);
  await showCheck(world.ctx, { runId }, async () => false);
  expect(await count()).toBe(1);
  await fixture.takeRun(world, runId);
  fixture.expectUpdated(804);
  await showCheck(world.ctx, { runId }, async () => false);
  expect(await count()).toBe(1);
  await showCheck(world.ctx, { runId }, async () => false);
  expect(await count()).toBe(0);
});
