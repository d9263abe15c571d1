import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { SuiteForViewer } from '../../src/suites/suite.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { numberRuns } from '../support/number-runs.ts';
import { shareSuite } from '../support/requests.ts';
import { postForm } from '../support/web-form.ts';
import { changed, fresh, HOSTILE, passed, pending, runOf, siteOf } from './runs-fixture.ts';
import { ledTo } from './suites-fixture.ts';

const PART = { 'hx-request': 'true' };

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(async () => api.stop());

let owner: Account;
let suite: SuiteForViewer;
beforeEach(async () => {
  owner = await api.account();
  suite = await siteOf(api, owner.user, ['/', '/a']);
});

const open = async (path: string, headers: Record<string, string> = {}, { token } = owner) =>
  (await api.request('GET', path, { token, headers })).body as string;

/** How often a page contains the address of a run. */
const links = (page: string, id: string) => page.split(`href="/runs/${id}"`).length - 1;

const started = (ago: number) => new Date(Date.now() - ago * 1000);

describe('the dashboard', () => {
  it('shows a newcomer the first steps', async () => {
    const newcomer = await api.account();
    const page = await open('/', {}, newcomer);
    expect(page).toContain('href="/suites/new"');
    expect(page).toContain('href="/single-pages/new"');
    expect(page.match(/<h1>/g)).toHaveLength(1);
  });

  it('shows what awaits a review first, what was found there, and the way in', async () => {
    const waiting = await runOf(api, suite, { results: { '/': changed, '/a': fresh } });
    const quiet = await runOf(api, suite, { runType: 'MANUAL', results: { '/': passed } });
    const page = await open('/');
    const [awaiting = '', followed = ''] = page.slice(page.indexOf('id="awaiting"')).split('id="followed"');
    expect(awaiting).toContain('4 left to review');
    expect(awaiting).toMatch(/<img src="[^"]+" width="96" height="72" alt="" loading="lazy"/);
    expect(awaiting).toContain('just now');
    expect([links(awaiting, waiting.id), links(awaiting, quiet.id)]).toEqual([1, 0]);
    expect(awaiting).toContain(`href="/runs/${waiting.id}/review"`);
    expect([links(followed, waiting.id), links(followed, quiet.id)]).toEqual([0, 1]);
  });

  it('leads straight to the first result that is not approved, then to the run', async () => {
    const { id, resultIds } = await runOf(api, suite, { results: { '/': passed, '/a': changed } });
    const led = async () => (await api.request('GET', `/runs/${id}/review`, owner)).headers.get('location');
    expect(await led()).toBe(`/runs/${id}/results/${resultIds[2]}?rest=1`);
    await api.ctx.db('page_results').where({ test_run_id: id }).update({ status: 'PASS' });
    expect(await led()).toBe(`/runs/${id}`);
    const other = await api.account();
    expect((await api.request('GET', `/runs/${id}/review`, other)).status).toBe(404);
  });

  it('prints the names of suites and branches escaped', async () => {
    await runOf(api, suite, { results: { '/': changed } });
    expect(await open('/')).not.toContain(HOSTILE);
  });

  it('says that nothing waits, that nothing is followed, and that nothing failed, each with a way on', async () => {
    const page = await open('/');
    expect(page).toContain('Nothing is awaiting your review. <a href="/runs">');
    expect(page).toContain('Open one of your <a href="/suites">suites</a> to follow it');
    expect(page).toContain('No run or crawl failed in the last 14 days');
  });

  it('shows whose crawls failed lately, and why, to those who may read the suite', async () => {
    const stranger = await api.account();
    const fail = async (columns: object) =>
      api.ctx
        .db('test_suites')
        .where({ id: suite.id })
        .update({ crawl_status: 'FAILED', crawl_error: 'site.test could not be reached', ...columns });
    const failures = async (who = owner) => (await open('/', {}, who)).split('aria-label="Failed crawls"')[1] ?? '';
    await fail({ last_crawled_at: started(60) });
    expect(await failures()).toContain(`href="/suites/${suite.id}"`);
    expect(await failures()).toContain('site.test could not be reached');
    expect(await failures(stranger)).toBe('');
    await shareSuite(api.ctx, owner.user, suite, { userId: stranger.user.id, role: 'VIEWER' });
    expect(await failures(stranger)).toContain('Crawl failed');
    await fail({ is_active: false });
    expect(await failures()).toBe('');
    await fail({ is_active: true, last_crawled_at: started(15 * 86_400) });
    expect(await failures()).toBe('');
  });

  it('names a run that waits only there, with who asks for what', async () => {
    const { id, resultIds } = await runOf(api, suite, { results: { '/': changed } });
    await api.ctx.db('change_requests').insert({
      test_run_id: id,
      page_result_id: resultIds[0] ?? '',
      author_id: owner.user.id,
      note: 'Too wide',
    });
    await api.ctx.db('test_runs').where({ id }).update({ open_requests: 1 });
    const page = await open('/');
    expect(links(page, id)).toBe(1);
    expect(page).toMatch(/asked for changes to 1 screenshot</);
    expect(page).toContain('The latest runs of the suites that you follow are all listed above.');
  });

  it('has what waits, what failed and what is followed in that order; and a suite is unfollowed on its page', async () => {
    const failed = await runOf(api, suite, { runType: 'MANUAL', status: 'FAILED', results: { '/': passed } });
    const page = await open('/');
    const places = ['awaiting', 'failed', 'followed'].map((id) => page.indexOf(`<h2 id="${id}"`));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(links(page.slice(places[1], places[2]), failed.id)).toBe(1);
    const home = `/suites/${suite.id}`;
    expect(await open(home)).toContain('Unfollow');
    expect(ledTo(await postForm(api, `${home}/follow`, { follow: 'no' }, owner))).toBe(`303 ${home}`);
    expect(await open(home)).toContain('value="yes"');
    const [, followed = ''] = (await open('/')).split('<h2 id="followed"');
    expect(links(followed, failed.id)).toBe(0);
    const answer = await api.request('PUT', `/api/test-suites/${suite.id}/follow`, owner);
    expect([answer.status, answer.body]).toMatchObject([200, { following: true }]);
    expect((await api.request('GET', `/api/test-suites/${suite.id}/follow`, owner)).body).toMatchObject({
      following: true,
    });
    expect((await api.request('DELETE', `/api/test-suites/${suite.id}/follow`, owner)).body).toMatchObject({
      following: false,
    });
  });

  it('shows nothing of suites that the viewer may not read, and all that is shared with them', async () => {
    const { id } = await runOf(api, suite, { results: { '/': changed } });
    const other = await api.account();
    expect(links(await open('/', {}, other), id)).toBe(0);
    await shareSuite(api.ctx, owner.user, suite, { userId: other.user.id, role: 'VIEWER' });
    expect(links(await open('/', {}, other), id)).toBeGreaterThan(0);
  });

  it('asks again while something runs, the calmer the longer it takes, and no more once it is over', async () => {
    const columns = { updated_at: started(5) };
    const { id } = await runOf(api, suite, {
      runType: 'MANUAL',
      status: 'RUNNING',
      columns,
      results: { '/': passed, '/a': pending },
    });
    const page = await open('/');
    expect(page).toContain('hx-get="/" hx-trigger="every 2s"');
    expect(page).toContain('<progress value="2" max="4"');

    await api.ctx
      .db('test_runs')
      .where({ id })
      .update({ updated_at: started(3600) });
    const part = await open('/', PART);
    expect(part).toContain('hx-trigger="every 60s"');
    expect(part).not.toContain('<html');

    await api.ctx.db('test_runs').where({ id }).update({ status: 'COMPLETED', ended_at: new Date() });
    expect(await open('/', PART)).not.toContain('hx-get');
  });
});

describe('all runs', () => {
  it('can be filtered by status, type and review', async () => {
    const branch = await runOf(api, suite, { results: { '/': changed } });
    const manual = await runOf(api, suite, { runType: 'MANUAL', status: 'RUNNING', results: { '/': pending } });
    const cases: [string, number, number][] = [
      ['', 1, 1],
      ['?status=IN_FLIGHT', 0, 1],
      ['?status=COMPLETED', 1, 0],
      ['?type=MANUAL', 0, 1],
      ['?review=PENDING', 1, 0],
      ['?review=MINE', 1, 0],
      ['?type=BRANCH&review=APPROVED', 0, 0],
      ['?status=nonsense&page=-1', 1, 1],
    ];
    for (const [query, ofBranch, ofManual] of cases) {
      const page = await open(`/runs${query}`);
      expect([query, links(page, branch.id), links(page, manual.id)]).toEqual([query, ofBranch, ofManual]);
    }
    expect(await open('/runs?type=MANUAL')).toContain('<option value="MANUAL" selected>');
  });

  it('can be filtered by who started one, of the people in the suites that the viewer may read', async () => {
    const [colleague, stranger] = [await api.account('colleague'), await api.account('stranger')];
    const theirs = await runOf(api, suite, { columns: { started_by: colleague.user.id }, results: { '/': passed } });
    await runOf(api, suite, { columns: { started_by: owner.user.id }, results: { '/': passed } });
    const page = await open('/runs');
    expect(page).toContain(`<option value="${colleague.user.id}">`);
    expect(page).not.toContain(`<option value="${owner.user.id}">`);
    const filtered = await open(`/runs?by=${colleague.user.id}`);
    expect(filtered).toContain('1 run<');
    expect(links(filtered, theirs.id)).toBe(1);
    expect(await open('/runs', {}, stranger)).not.toContain(colleague.user.id);
  });

  it('come in parts, which keep the filters', async () => {
    const run = { test_suite_id: suite.id, run_type: 'MANUAL', status: 'FAILED', target_base_url: suite.baseUrl };
    const rows = Array.from({ length: 31 }, () => ({ ...run, config: JSON.stringify(suite.config) }));
    await api.ctx.db('test_runs').insert(await numberRuns(api.ctx.db, rows));
    const first = await open('/runs?status=FAILED');
    expect(first.split('href="/runs/').length - 1).toBe(30);
    expect(first).toContain('href="/runs?status&#x3D;FAILED&amp;page&#x3D;2"');
    expect((await open('/runs?status=FAILED&page=2')).split('href="/runs/').length - 1).toBe(1);
    expect(ledTo(await api.request('GET', '/runs?page=9', { token: owner.token }))).toBe('303 /runs?page=2');
  });

  it('say what to do when there are none', async () => {
    expect(await open('/runs')).toContain('No runs yet');
    expect(await open('/runs?status=FAILED')).toContain('No matching runs');
  });
});
