import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { compareAnew } from '../../src/runs/judging/judge-runs.ts';
import { worldOf } from '../api/fixture.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { postForm, unescapeHtml } from '../support/web-form.ts';
import { paint, reviewRun, suiteOf, version } from './review-fixture.ts';

/* A page of the review stays open while the results of its run are compared with a baseline that has moved. */

const SMALL = { width: 300, height: 200 };
const PULL_REQUEST = { git_owner: 'o', git_repo: 'r', git_pr_number: 1, git_head_sha: 'a'.repeat(40) };

let api: TestApi;
let owner: Account;
beforeAll(async () => {
  api = await startTestApi();
  owner = await api.account('owner');
});
afterAll(async () => api.stop());

/** A run of a pull request that changes a page. */
async function changedPage() {
  const suite = await suiteOf(api, owner.user, ['/a']);
  const before = { baseline: await paint(SMALL), current: await paint(SMALL, [{ x: 10, y: 10 }]) };
  const { id, results } = await reviewRun(api, suite, { '/a': before }, { run_type: 'PR', ...PULL_REQUEST });
  const resultId = results['/a'] ?? '';
  return { suite, id, resultId, address: `/runs/${id}/results/${resultId}` };
}

/** Something else was approved for the page meanwhile. */
async function moveBaseline({ suite, id }: Awaited<ReturnType<typeof changedPage>>): Promise<void> {
  await version(api, suite, '/a', await paint(SMALL, [{ x: 90, y: 120 }]));
  await compareAnew(worldOf(api).ctx, { runId: id });
}

const open = async (address: string): Promise<string> =>
  String((await api.request('GET', address, { token: owner.token, headers: { accept: 'text/html' } })).body);

/** What the page sends for the result to approve it. */
function valueIn(html: string, resultId: string): string {
  const bar = html.slice(Math.max(0, html.indexOf('class="review-approve"')));
  const values = [...bar.matchAll(/name="resultIds" value="([^"]*)"/g)].map(([, value = '']) => unescapeHtml(value));
  const found = values.find((value) => value.startsWith(resultId));
  if (found === undefined) throw new Error('The page offers no approval');
  return found;
}

const isApproved = async (id: string) => (await api.ctx.db('page_results').where({ id }).first('approved')).approved;

it.each([
  ['the page of a result', ({ address }: { address: string }) => address],
  ['the list of pages', ({ id }: { id: string }) => `/runs/${id}?view=pages`],
])('%s approves the comparison that it showed, and no later one', async (_name, addressOf) => {
  const page = await changedPage();
  const approve = async (html: string) =>
    postForm(api, `/runs/${page.id}/approve`, { resultIds: valueIn(html, page.resultId), seen: '0' }, owner);
  const stale = await open(addressOf(page));
  await moveBaseline(page);
  const refused = await approve(stale);
  expect([refused.status, await isApproved(page.resultId)]).toEqual([409, false]);
  expect(refused.body).toContain('was compared again in the meantime');
  expect((await approve(await open(addressOf(page)))).status).toBe(303);
  expect(await isApproved(page.resultId)).toBe(true);
});

it('a screenshot that passed becomes no baseline after it was compared again', async () => {
  const suite = await suiteOf(api, owner.user, ['/a']);
  const within = { baseline: await paint(SMALL), current: await paint(SMALL, [{ x: 10, y: 10 }]), within: true };
  const { id, results } = await reviewRun(api, suite, { '/a': within }, { run_type: 'PR', ...PULL_REQUEST });
  const page = { suite, id, resultId: results['/a'] ?? '', address: `/runs/${id}/results/${results['/a']}` };
  const look = /\/promote"[^]*?name="look" value="(\w+)"/.exec(await open(page.address))?.[1] ?? '';
  await moveBaseline(page);
  const refused = await postForm(api, `${page.address}/promote`, { look, seen: '0' }, owner);
  expect([refused.status, await isApproved(page.resultId)]).toEqual([409, false]);
});

const MERGED = { run_type: 'PR', ...PULL_REQUEST, git_merged: true } as const;

it.each([
  ['a run of the site', 'approve', { run_type: 'MANUAL' } as const],
  ['a run of the site', 'promote', { run_type: 'MANUAL' } as const],
  ['a merged pull request', 'approve', MERGED],
])('%s does not replace a version that was approved since (%s)', async (_name, action, columns) => {
  const suite = await suiteOf(api, owner.user, ['/a', '/b']);
  const current = await paint(SMALL, [{ x: 10, y: 10 }]);
  const before = { baseline: await paint(SMALL), current, within: action === 'promote' };
  const { id, results } = await reviewRun(api, suite, { '/a': before, '/b': before }, columns);
  await version(api, suite, '/a', await paint(SMALL, [{ x: 90, y: 120 }]));
  await version(api, suite, '/b', current);
  const decide = async (page: string) => {
    const resultId = results[page] ?? '';
    const address = `/runs/${id}/results/${resultId}`;
    const html = await open(address);
    if (action === 'approve') {
      return postForm(api, `/runs/${id}/approve`, { resultIds: valueIn(html, resultId), seen: '0' }, owner);
    }
    const look = /\/promote"[^]*?name="look" value="(\w+)"/.exec(html)?.[1] ?? '';
    return postForm(api, `${address}/promote`, { look, seen: '0' }, owner);
  };
  const refused = await decide('/a');
  expect([refused.status, await isApproved(results['/a'] ?? '')]).toEqual([409, false]);
  expect(refused.body).toContain('Version 2 of /a at desktop was approved after this run');
  // This version looks like what was approved.
  expect([(await decide('/b')).status, await isApproved(results['/b'] ?? '')]).toEqual([303, true]);
});

it('an approved screenshot says that its merge came too late to make it the baseline', async () => {
  const suite = await suiteOf(api, owner.user, ['/a', '/b']);
  const before = { baseline: await paint(SMALL), current: await paint(SMALL, [{ x: 10, y: 10 }]) };
  const { id, results } = await reviewRun(api, suite, { '/a': before, '/b': before }, MERGED);
  const yesterday = new Date(Date.now() - 86_400_000);
  await api.ctx.db('pull_requests').insert({
    owner: 'o',
    repo: 'r',
    number: PULL_REQUEST.git_pr_number,
    head_sha: PULL_REQUEST.git_head_sha,
    head_branch: 'feature',
    base_branch: 'main',
    state: 'MERGED',
    merged_at: yesterday,
    installation_id: 1,
    changed_at: yesterday,
  });
  await api.ctx.db('page_results').where({ test_run_id: id }).update({ approved: true, approved_at: yesterday });
  await version(api, suite, '/a', await paint(SMALL, [{ x: 90, y: 120 }]));
  const says = async (page: string) =>
    (await open(`/runs/${id}/results/${results[page]}?panel=notes`)).includes('It did not become the baseline');
  expect([await says('/a'), await says('/b')]).toEqual([true, false]);
});

it('a change that was never shown is not ignored', async () => {
  const page = await changedPage();
  const ignore = async (html: string) => {
    const look = /\/ignore-change"[^]*?name="look" value="(\w+)"/.exec(html)?.[1] ?? '';
    return postForm(api, `${page.address}/ignore-change`, { look }, owner);
  };
  const ignored = async () => api.ctx.db('ignored_changes').where({ test_suite_id: page.suite.id });
  const stale = await open(`${page.address}?panel=ignore`);
  await moveBaseline(page);
  expect([(await ignore(stale)).status, await ignored()]).toEqual([409, []]);
  expect((await ignore(await open(`${page.address}?panel=ignore`))).status).toBe(303);
  expect(await ignored()).toHaveLength(1);
});
