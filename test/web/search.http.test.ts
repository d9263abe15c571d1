import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { SuiteForViewer } from '../../src/suites/suite.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { shareSuite } from '../support/requests.ts';
import { changed, HOSTILE, passed, runOf, siteOf } from './runs-fixture.ts';

let api: TestApi;
let owner: Account;
let guest: Account;
let stranger: Account;
let suite: SuiteForViewer;
let pullRequest: string;
let site: string;
beforeAll(async () => {
  api = await startTestApi();
  [owner, guest, stranger] = [await api.account('owner'), await api.account('guest'), await api.account('stranger')];
  suite = await siteOf(api, owner.user, [
    '/',
    '/en/pricing-plans',
    '/%E6%9D%B1%E4%BA%AC/stra%C3%9Fe',
    `/long/${'x'.repeat(1800)}`,
  ]);
  await shareSuite(api.ctx, owner.user, suite, { userId: guest.user.id, role: 'VIEWER' });
  const pull = { git_owner: 'octo', git_repo: 'site', git_pr_number: 21, git_head_sha: '0a1b2c3d', git_enqueued: true };
  const columns = { ...pull, git_title: 'Greener buttons', git_branch: 'buttons-11', created_at: '2026-01-01' };
  await runOf(api, suite, { runType: 'PR', columns, results: { '/': changed } });
  const again = { ...columns, git_head_sha: '1b2c3d4e', created_at: '2026-01-02' };
  pullRequest = (await runOf(api, suite, { runType: 'PR', columns: again, results: { '/': changed } })).id;
  site = (await runOf(api, suite, { runType: 'MANUAL', columns: { number: 128 }, results: { '/': passed } })).id;
});
afterAll(() => api.stop());

/** What the API finds, as its names. */
async function find(q: string, { token }: Account = owner) {
  const { status, body } = await api.request('GET', `/api/search?q=${encodeURIComponent(q)}`, { token });
  expect([q, status]).toEqual([q, 200]);
  return {
    suites: body.suites.map(({ id }: { id: string }) => id),
    pages: body.pages.map(({ path }: { path: string }) => path),
    pulls: body.pullRequests.map(
      ({ number, testRunId }: { number: number; testRunId: string | null }) => `${number} ${testRunId}`,
    ),
    runs: body.testRuns.map(({ number }: { number: number }) => number),
  };
}
const NOTHING = { suites: [], pages: [], pulls: [], runs: [] };

it('finds suites by any part of name or address, pages by parts of words', async () => {
  expect((await find('ite <scr')).suites).toEqual([suite.id]);
  expect((await find('site.test')).suites).toEqual([suite.id]);
  expect((await find('PRIC plan')).pages).toEqual(['/en/pricing-plans']);
  expect((await find('rici lan')).pages).toEqual(['/en/pricing-plans']);
  // Too short for the middle of a word.
  expect((await find('ic')).pages).toEqual([]);
  expect((await find('x'.repeat(150))).pages).toHaveLength(1);
  expect((await find('long xxx')).pages).toHaveLength(1);
  for (const q of ['東京', '京', '東 straße', 'traße'])
    expect([q, (await find(q)).pages]).toEqual([q, ['/%E6%9D%B1%E4%BA%AC/stra%C3%9Fe']]);
  expect((await find('東西')).pages).toEqual([]);
});

it('finds runs and pull requests by number and words, each pull request once with its newest run', async () => {
  expect(await find('#128')).toEqual({ ...NOTHING, runs: [128] });
  expect((await find('128')).runs).toEqual([128]);
  expect(await find('#21')).toEqual({ ...NOTHING, pulls: [`21 ${pullRequest}`] });
  expect(await find('greener')).toEqual({ ...NOTHING, pulls: [`21 ${pullRequest}`], runs: [2, 1] });
  // A digit is part of a word, also the digit 1.
  expect((await find('buttons-11')).runs).toEqual([2, 1]);
  expect((await find('1b2c')).runs).toEqual([2]);
  expect((await find('REENE utto')).runs).toEqual([2, 1]);
});

it('finds pull requests that were not captured, by number, title and branch', async () => {
  const link = { codehost_owner: 'Octo', codehost_repo: 'Site', codehost_installation_id: 7 };
  await api.ctx.db('test_suites').where({ id: suite.id }).update(link);
  const at = new Date('2026-01-03');
  const pull = { owner: 'octo', repo: 'site', head_sha: 'c3', base_branch: 'main', installation_id: 7, changed_at: at };
  await api.ctx.db('pull_requests').insert([
    { ...pull, number: 21, title: 'Greener buttons', head_branch: 'buttons-11' },
    { ...pull, number: 22, title: 'Yellow 100% lanterns', head_branch: 'lamps' },
    { ...pull, number: 23, title: null, head_branch: 'lamps-again', repo: 'other' },
  ]);
  for (const q of ['#22', 'ELLOW lamp', '100%', '22']) expect([q, (await find(q)).pulls]).toEqual([q, ['22 null']]);
  // One with a run is found by that.
  expect((await find('greener')).pulls).toEqual([`21 ${pullRequest}`]);
  expect((await find('lantern', guest)).pulls).toEqual(['22 null']);
  expect((await find('lantern', stranger)).pulls).toEqual([]);
  const { body } = await api.request('GET', '/search?q=lantern', { token: owner.token });
  expect(body).toContain(`href="/suites/${suite.id}/first-check"`);
  expect(body).toContain('Pull request #22: Yellow 100% lanterns');
});

it('finds only what the caller may read', async () => {
  for (const q of ['site', 'pricing', '#128', 'greener']) {
    expect([q, await find(q, guest)]).toEqual([q, await find(q)]);
    expect([q, await find(q, stranger)]).toEqual([q, NOTHING]);
  }
});

it('finds nothing by what has no word, and refuses nothing that can be typed', async () => {
  for (const q of ['-', "'", '%', String.raw`\ & | ! ( ) : *`, '#99999999999', "'x':*"]) {
    expect([q, (await find(q)).runs]).toEqual([q, []]);
  }
  expect((await api.request('GET', '/api/search?q=', { token: owner.token })).status).toBe(400);
  expect((await api.request('GET', '/api/search?q=x')).status).toBe(401);
});

it('is a page that works without scripts, and options for the dialog', async () => {
  const open = async (path: string, headers = {}) =>
    String((await api.request('GET', path, { token: owner.token, headers })).body);
  const page = await open('/search?q=site');
  expect(page).toContain(`href="/suites/${suite.id}"`);
  expect(page).toContain('value="site"');
  expect(page).not.toContain(HOSTILE);
  expect(await open('/search?q=%23128')).toContain(`href="/runs/${site}"`);
  expect(await open('/search?q=nowhere')).toContain('Nothing found');
  expect(await open('/search')).toContain('Find anything you have access to');
  const options = await open('/search?q=greener', { 'hx-request': 'true' });
  expect(options).not.toContain('<html');
  expect(options.match(/role="option"/g)).toHaveLength(3);
  expect(options).toContain('data-search-status="3 results"');
});
