import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/auth/user.ts';
import { readRunCheck } from '../../src/pull-requests/check/run-check.ts';
import { assignRun } from '../../src/runs/assignees/assign-run.ts';
import { getRunFor } from '../../src/runs/read-run.ts';
import * as github from '../github/check-world.ts';
import { sha } from '../github/webhooks/pull-request-payloads.ts';
import { worldWithStorage } from '../runs/one-page.ts';
import { shareSuite } from '../support/requests.ts';
import { stubHttp } from '../support/stub-http.ts';
import { newViewer, type OwnSuite } from '../support/world.ts';

stubHttp();

let world: Awaited<ReturnType<typeof worldWithStorage>>;
let owner: Viewer;
let reviewer: Viewer;
let suite: OwnSuite;
beforeAll(async () => {
  world = await worldWithStorage();
  owner = await newViewer(world);
  reviewer = await newViewer(world);
  suite = await github.linkedSuite(world, owner, ['/']);
  await shareSuite(world.ctx, owner, suite, { userId: reviewer.id, role: 'REVIEWER' });
});
afterAll(() => world.end());

const assigneesOf = async (runId: string) =>
  (await readRunCheck(world.db, runId))?.run.assignees.map(({ id, login }) => [id, login]);

it('the next run of a pull request waits for the same people, and its check knows what GitHub calls them', async () => {
  const pull = await github.newPullRequest(world, { headSha: sha('a1') });
  const first = await github.waitingRun(world, suite, pull);
  await assignRun(world.ctx, await getRunFor(world.ctx, owner, first, 'suite.approve'), [reviewer.id]);
  const jobs = await world.db.raw('select 1 from graphile_worker.jobs where key = ?', [`check/${first}`]);
  expect(jobs.rows).toHaveLength(1);
  await world.db('accounts').insert({
    user_id: reviewer.id,
    type: 'oauth',
    provider: 'github',
    provider_account_id: '7',
    login: 'octocat',
  });
  const pushed = { ...pull, headSha: sha('a2') };
  await github.changePullRequest(world, pushed);
  const second = await github.waitingRun(world, suite, pushed);
  expect(await assigneesOf(second)).toEqual([[reviewer.id, 'octocat']]);
  const other = await github.newPullRequest(world, { headSha: sha('a3') });
  expect(await assigneesOf(await github.waitingRun(world, suite, other))).toEqual([]);
});
