import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { json } from '../../src/db/json.ts';
import { startFirstRun } from '../../src/runs/start-due-runs.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { listPages } from '../support/requests.ts';
import { cookieOf, postForm } from '../support/web-form.ts';
import type { OwnSuite } from '../support/world.ts';
import { broken, changed, passed, runOf } from './runs-fixture.ts';
import { ledTo, peopleOf, sharedSuite, type People } from './suites-fixture.ts';

const FACTS = {
  address: 'https://shop.test/',
  title: null,
  icon: null,
  sitemap: { addresses: 2, partial: true },
  pages: ['/'],
  moved: null,
  forbidden: false,
};

const HOSTILE = `<script>alert(1)</script>"'>`;

let api: TestApi;
let people: People;
let suite: OwnSuite;
beforeAll(async () => {
  api = await startTestApi();
  people = await peopleOf(api);
});
beforeEach(async () => {
  await api.ctx.db('test_suites').delete();
  suite = await sharedSuite(api, people);
});
afterAll(() => api.stop());

const open = async (path: string, { token }: { token?: string } = people.owner) => api.request('GET', path, { token });
const post = async (path: string, fields: Record<string, string | string[]>, as: Account = people.owner) =>
  postForm(api, path, fields, as);

/** Ids by path. */
async function insertPages(paths: string[], rest: Record<string, unknown> = {}): Promise<Map<string, string>> {
  const rows = await api.ctx
    .db('site_pages')
    .insert(paths.map((path) => ({ test_suite_id: suite.id, owner_id: suite.userId, path, ...rest })))
    .returning<{ id: string; path: string }[]>(['id', 'path']);
  return new Map(rows.map(({ id, path }) => [path, id]));
}

const tracked = async () =>
  (await listPages(api.ctx, suite)).pages.filter((page) => page.tracked).map((page) => page.path);

describe('every page of a suite', () => {
  const PARTS = ['', '/runs', '/settings', '/sharing', '/repository'];

  it.each(PARTS)('leads who is not signed in to the sign-in, and back: %s', async (part) => {
    const path = `/suites/${suite.id}${part}`;
    expect(ledTo(await open(path, {}))).toBe(`303 /sign-in?next=${encodeURIComponent(path)}`);
  });

  it.each(PARTS)('is not there for a stranger: %s', async (part) => {
    expect((await open(`/suites/${suite.id}${part}`, people.stranger)).status).toBe(404);
  });

  it.each(PARTS)('opens for each role: %s', async (part) => {
    for (const person of [people.viewer, people.reviewer, people.editor, people.admin]) {
      expect((await open(`/suites/${suite.id}${part}`, person)).status).toBe(200);
    }
  });

  it('is not there under an id that is none', async () => {
    expect((await open('/suites/nothing')).status).toBe(404);
  });
});

describe('forms of a suite', () => {
  const FORMS: [path: string, fields: Record<string, string>, least: 'editor' | 'admin'][] = [
    ['pages', { action: 'track', all: '0' }, 'editor'],
    ['add-page', { address: '/new' }, 'editor'],
    ['crawl', {}, 'editor'],
    ['run', {}, 'editor'],
    ['settings', { name: 'Docs', baseUrl: 'http://site.test' }, 'editor'],
    ['active', { active: 'no' }, 'admin'],
    ['delete', { confirm: 'Docs' }, 'admin'],
    ['sharing', { email: 'somebody@example.com', role: 'VIEWER' }, 'admin'],
    ['repository', { owner: 'octo', repo: 'site', installationId: '7' }, 'admin'],
    ['unlink', {}, 'admin'],
  ];

  it.each(FORMS)('refuse too low a role, a stranger, and another site: %s', async (form, fields, least) => {
    const path = `/suites/${suite.id}/${form}`;
    expect((await post(path, fields, people.viewer)).status).toBe(403);
    expect((await post(path, fields, least === 'admin' ? people.editor : people.reviewer)).status).toBe(403);
    expect((await post(path, fields, people.stranger)).status).toBe(404);
    const foreign = await postForm(api, path, fields, {
      token: people.owner.token,
      headers: { origin: 'https://evil.example' },
    });
    expect(foreign.status).toBe(403);
    const signedOut = await postForm(api, path, fields);
    expect([ledTo(signedOut), decodeURIComponent(cookieOf(signedOut, 'pixelgate_notice'))]).toEqual([
      '303 /sign-in',
      expect.stringContaining('nothing was changed'),
    ]);
    const headers = { cookie: cookieOf(signedOut, 'pixelgate_notice') };
    const { body } = await api.request('GET', '/sign-in', { headers });
    expect(body).toContain('You are no longer signed in, so nothing was changed.');
  });

  it('give a token no more than was ticked when they are sent again after a mistake', async () => {
    const ticked = (body: string) => [...body.matchAll(/value="(\w+)" checked/g)].map(([, scope]) => scope);
    const path = `/suites/${suite.id}/tokens`;
    expect(ticked((await open(path)).body)).toEqual(['upload', 'run', 'read']);
    const refused = await post(path, { name: ' ', expiresInDays: '30', scopes: 'read' });
    expect([refused.status, ticked(refused.body)]).toEqual([400, ['read']]);
  });

  it('are not shown to a role that may not send them', async () => {
    await insertPages(['/'], { tracked: true });
    const asViewer = (await open(`/suites/${suite.id}`, people.viewer)).body;
    expect(asViewer).not.toContain('<form method="post" action="/suites/');
    expect((await open(`/suites/${suite.id}`, people.editor)).body).toContain(`action="/suites/${suite.id}/run"`);
    expect((await open(`/suites/${suite.id}/settings`, people.editor)).body).not.toContain('Danger zone');
    expect((await open(`/suites/${suite.id}/settings`, people.viewer)).body).toContain(
      '<fieldset class="settings-all" disabled>',
    );
    expect((await open(`/suites/${suite.id}/settings`, people.admin)).body).toContain('Danger zone');
  });
});

describe('the list of suites', () => {
  it('shows those of the scope, each with its owner and the own role, and no single page', async () => {
    await post('/single-pages/new', { url: 'http://site.test/one', name: 'One page' });
    const all = (await open('/suites', people.viewer)).body;
    expect(all).toContain('Docs');
    expect(all).toContain('owner (your role: Viewer)');
    expect((await open('/suites?scope=OWNED', people.viewer)).body).toContain('No matching suites');
    expect((await open('/suites')).body).not.toContain('One page');
    expect((await open('/single-pages')).body).toContain('One page');
  });

  it('says what to do where there is none', async () => {
    expect((await open('/suites', people.stranger)).body).toContain('No suites yet');
    expect((await open('/single-pages', people.stranger)).body).toContain('No single pages yet');
    expect((await open('/suites?scope=nonsense', people.stranger)).status).toBe(200);
  });
});

describe('creating a suite', () => {
  const FIELDS = { name: 'Shop', baseUrl: 'https://shop.test', description: 'What we sell', 'config.maxPages': '50' };

  it('leads to it, with its config', async () => {
    const answer = await post('/suites/new', { ...FIELDS, viewports: 'mobile' });
    const [, id = ''] = /\/suites\/([\w-]+)$/.exec(ledTo(answer)) ?? [];
    const { body } = await api.request('GET', `/api/test-suites/${id}`, { token: people.owner.token });
    expect(body).toMatchObject({ name: 'Shop', description: 'What we sell', config: { maxPages: 50 } });
    expect(body.config.viewports).toMatchObject([{ name: 'mobile', width: 375, height: 812 }]);
  });

  it('takes an address alone: everything that is found is tracked, and the crawl begins at once', async () => {
    const [, id = ''] = /\/suites\/([\w-]+)$/.exec(ledTo(await post('/suites/new', { baseUrl: 'shop.test' }))) ?? [];
    const { body } = await api.request('GET', `/api/test-suites/${id}`, { token: people.owner.token });
    expect(body).toMatchObject({ name: 'shop.test', baseUrl: 'https://shop.test', crawl: { status: 'QUEUED' } });
    expect(body.config).toMatchObject({ autoTrack: 'all', maxPages: 100 });
    const some = { 'config.autoTrack.mode': 'paths', 'config.autoTrack.paths': '/docs/**\n!/docs/old' };
    const [, next = ''] = /\/suites\/([\w-]+)$/.exec(ledTo(await post('/suites/new', { ...FIELDS, ...some }))) ?? [];
    const docs = await api.request('GET', `/api/test-suites/${next}`, { token: people.owner.token });
    expect(docs.body.config.autoTrack).toEqual({ paths: ['/docs/**', '!/docs/old'], limit: null });
  });

  it('shows what is at the address, without losing what was typed', async () => {
    const look = await post('/suites/look', { ...FIELDS, baseUrl: 'shop.test' });
    const [, shown = ''] = /^303 (\/suites\/new\?look=[\w-]+)$/.exec(ledTo(look)) ?? [];
    const pending = (await open(shown)).body;
    expect(pending).toContain('Checking shop.test');
    expect(pending).toContain('value="https://shop.test"');
    expect(pending).toContain('value="50"');
    const facts = { ...FACTS, title: HOSTILE, moved: 'https://www.shop.test' };
    await api.ctx.db('site_looks').update({ status: 'DONE', facts: json(facts), problem: 'It asks for a password.' });
    const { body } = await open(shown);
    expect(body).toContain('Sitemap with at least 2 addresses');
    expect(body).toContain('&lt;script&gt;alert(1)');
    expect(body).toContain('value="https://www.shop.test" formaction="/suites/look"');
    expect(body).toContain('It asks for a password.');
    expect((await open(shown, people.stranger)).body).not.toContain('It asks for a password.');
    const id = shown.split('=')[1] ?? '';
    expect((await open(`/suites/looks/${id}`, people.stranger)).status).toBe(303);
    const made = await post('/suites/new', { baseUrl: 'https://shop.test', look: id });
    const suiteId = ledTo(made).split('/').at(-1) ?? '';
    expect(await api.ctx.db('test_suites').where({ id: suiteId }).first('name')).toEqual({ name: HOSTILE });
    const moved = await post('/suites/look', { ...FIELDS, moved: 'https://www.shop.test' });
    expect((await open(ledTo(moved).slice(4))).body).toContain('value="https://www.shop.test"');
  });

  it('says of an address at which nobody may look what is wrong with it', async () => {
    const refused = await post('/suites/look', { baseUrl: 'ftp://shop.test' });
    expect(refused.status).toBe(400);
    expect(refused.body).toContain('id="field-baseUrl-error"');
    const htmx = { 'content-type': 'application/x-www-form-urlencoded', 'hx-request': 'true' };
    const raw = 'baseUrl=ftp%3A%2F%2Fshop.test';
    const part = await api.request('POST', '/suites/look', { token: people.owner.token, raw, headers: htmx });
    expect([part.status, part.body]).toEqual([200, expect.stringContaining('Must be an absolute http(s) URL')]);
  });

  it('keeps what was typed, and says at the field what is wrong', async () => {
    const wrong = {
      ...FIELDS,
      name: HOSTILE,
      baseUrl: 'ftp://shop.test',
      'config.maxPages': '20000',
      viewports: 'default',
    };
    const { status, body } = await post('/suites/new', wrong);
    expect(status).toBe(400);
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;');
    expect(body).toContain('id="field-config-maxPages-error"');
    expect(body).toContain('Must be a whole number from 1 to 10,000');
    const address = await post('/suites/new', { ...wrong, 'config.maxPages': '' });
    expect(address.body).toContain('id="field-baseUrl-error"');
    expect(address.body).toContain('ftp://shop.test');
  });
});

describe("a suite's pages", () => {
  const path = () => `/suites/${suite.id}`;

  it('are filtered by text, status and tracked, and sorted', async () => {
    await insertPages(['/a_b', '/axb'], { title: 'First' });
    await insertPages(['/removed'], { title: HOSTILE, status: 'REMOVED', removed_at: new Date() });
    await insertPages(['/tracked'], { tracked: true });
    const shown = async (query: string) =>
      [...String((await open(`${path()}${query}`)).body).matchAll(/aria-label="(\/[^"]*)"/g)].map(([, found]) => found);
    expect(await shown('')).toEqual(['/a_b', '/axb', '/removed', '/tracked']);
    expect(await shown('?sort=-path')).toEqual(['/tracked', '/removed', '/axb', '/a_b']);
    expect(await shown('?q=A_B')).toEqual(['/a_b']);
    expect(await shown('?q=first')).toEqual(['/a_b', '/axb']);
    expect(await shown('?status=REMOVED')).toEqual(['/removed']);
    expect(await shown('?tracked=yes')).toEqual(['/tracked']);
    expect(await shown('?status=what&tracked=maybe&page=x&sort=up')).toHaveLength(4);
    expect((await open(`${path()}?q=nowhere`)).body).toContain('No matching pages');
    expect((await open(path())).body).not.toContain('<script>alert(1)');
  });

  it('are shown and found by the characters of their paths', async () => {
    await insertPages(['/%E6%9D%B1%E4%BA%AC/a', '/b']);
    const { body } = await open(`${path()}?q=${encodeURIComponent('東京')}`);
    expect(body).toContain('>/東京/a</a>');
    expect(body).not.toContain('>/b</a>');
  });

  it('are filtered by what was found last, and counted by that', async () => {
    await insertPages(['/changed', '/same', '/docs/never'], { tracked: true });
    const viewports = suite.config.viewports.map(({ name }) => name);
    expect(viewports).toEqual(['desktop', 'mobile']);
    await runOf(api, suite, { runType: 'MANUAL', results: { '/changed': changed, '/same': passed } });
    const page = String((await open(path())).body);
    const choices = [...page.matchAll(/href="([^"]*)"[^>]*>([^<]*) <span class="segment-count">(\d+)/g)];
    expect(choices.map(([, , label, count]) => `${label} ${count}`)).toEqual([
      'All 3',
      'Changed 1',
      'Unchanged 1',
      'Never captured 1',
    ]);
    const shown = async (query: string) =>
      [...String((await open(`${path()}${query}`)).body).matchAll(/aria-label="(\/[^"]*)"/g)].map(([, found]) => found);
    expect(await shown('?state=changed')).toEqual(['/changed']);
    expect(await shown('?state=never')).toEqual(['/docs/never']);
    expect(await shown('?state=never&q=same')).toEqual([]);
    expect(await shown('?state=nonsense&folder=nonsense&q=%00')).toHaveLength(3);
    await post(`${path()}/pages?state=never`, { action: 'untrack', all: '1' });
    expect(await tracked()).toEqual(['/changed', '/same']);
    expect(String((await open(path())).body)).toContain('2 of 3 pages tracked');
  });

  it('have thumbnails with a size, in a list or a grid that every link keeps; what all are is said once', async () => {
    await insertPages(['/', '/a'], { tracked: true });
    await runOf(api, suite, { runType: 'MANUAL', results: { '/': passed, '/a': passed } });
    const list = String((await open(path())).body);
    expect(list.match(/<img src="[^"]*width[^"]*192" width="96" height="72" alt="" loading="lazy"/g)).toHaveLength(2);
    expect(list).toMatch(/All of these pages:[^<]*<span class="badge badge-success">/);
    expect(list).not.toContain(' in the latest run of ');
    await insertPages(['/b'], { tracked: true });
    expect(String((await open(path())).body)).toMatch(/All but 1:[^<]*<span class="badge badge-success">/);
    const grid = String((await open(`${path()}?view=grid&q=a`)).body);
    expect(grid).toContain('class="pages pages-grid"');
    expect(grid).toContain('<input type="hidden" name="view" value="grid">');
    expect(grid).toMatch(/href="\/suites\/[^"]+\?q[^"&]*&#x3D;a"[^>]*><svg.*<\/svg> List</);
  });

  it('are in the folders of their paths, each with its counts and a list of its own', async () => {
    await insertPages(['/', '/about', '/docs/a', '/docs/api/b', '/docs/api/c'], { tracked: true });
    await runOf(api, suite, { runType: 'MANUAL', results: { '/docs/api/b': changed, '/docs/a': broken } });
    const page = String((await open(path())).body);
    expect([...page.matchAll(/<summary><h3>([^<]*)/g)].map(([, name]) => name)).toEqual(['/', '/docs/']);
    expect(page).toContain(
      '3 pages</span> <span class="tone-attention">1 changed</span> <span class="tone-danger">1 error',
    );
    expect(page).toContain('folder&#x3D;%2Fdocs%2F"');
    const below = String((await open(`${path()}?folder=/docs/`)).body);
    expect([...below.matchAll(/<summary><h3>([^<]*)/g)].map(([, name]) => name)).toEqual(['/docs/', '/docs/api/']);
    expect(below).not.toContain('aria-label="/about"');
    expect(below).toContain('<strong>docs/</strong>');
    const deepest = String((await open(`${path()}?folder=/docs/api/&state=changed`)).body);
    expect(deepest).toContain('aria-label="/docs/api/b"');
    expect(deepest).not.toContain('<summary><h3>');
  });

  it('begin with the runs that wait for the review of who may approve', async () => {
    await insertPages(['/'], { tracked: true });
    const { id } = await runOf(api, suite, { runType: 'MANUAL', results: { '/': changed } });
    const page = async (as: Account) => String((await open(path(), as)).body);
    expect(await page(people.reviewer)).toMatch(new RegExp(`Awaiting your review[^]*href="/runs/${id}/review"`));
    expect(await page(people.viewer)).not.toContain('Awaiting your review');
    await api.ctx.db('test_runs').where({ id }).update({ review_state: 'APPROVED' });
    expect(await page(people.reviewer)).not.toContain('Awaiting your review');
  });

  it('come in parts; a part past the end is the last', async () => {
    await insertPages(Array.from({ length: 250 }, (_, index) => `/page/${String(index).padStart(3, '0')}`));
    const third = (await open(`${path()}?page=3&q=page`)).body;
    expect(third).toContain('/page/149');
    expect(third).toContain('101–150 of 250');
    expect(ledTo(await open(`${path()}?page=9&q=page`))).toBe(`303 ${path()}?q=page&page=5`);
  });

  it('are tracked, untracked, acknowledged and deleted, those that are ticked', async () => {
    const ids = await insertPages(['/a', '/b', '/c'], { status: 'NEW' });
    const [a = '', b = ''] = ids.values();
    const act = async (action: string, page: string | string[]) => post(`${path()}/pages?q=x`, { action, page });
    expect(ledTo(await act('track', [a, b]))).toBe(`303 ${path()}?q=x`);
    expect(await tracked()).toEqual(['/a', '/b']);
    await act('untrack', a);
    expect(await tracked()).toEqual(['/b']);
    await act('acknowledge', b);
    await act('delete', a);
    const { pages } = await listPages(api.ctx, suite);
    expect(pages.map(({ path: at, status }) => `${at} ${status}`)).toEqual(['/b ACTIVE', '/c NEW']);
  });

  it('are acted on all together where they match the filter, also those that are not shown', async () => {
    await insertPages(Array.from({ length: 120 }, (_, index) => `/old/${index}`));
    await insertPages(['/kept']);
    const page = String((await open(`${path()}?q=old`)).body);
    expect(page).toContain('All 120 matching pages');
    const [, all = ''] = /"checkbox" name="all" value="([^"]*)"/.exec(page) ?? [];
    expect(page).toContain('<input type="hidden" name="all" value="121">');
    await insertPages(['/old/found-since']);
    const refused = await post(`${path()}/pages?q=old`, { action: 'track', all });
    expect([refused.status, refused.body]).toEqual([409, expect.stringContaining('121 pages match now, not 120')]);
    expect(await tracked()).toEqual([]);
    await post(`${path()}/pages?q=old`, { action: 'track', all: '121' });
    expect(await tracked()).toHaveLength(121);
  });

  it('are left alone where none is ticked, or the action is none', async () => {
    await insertPages(['/a']);
    const { status, body } = await post(`${path()}/pages`, { action: 'track' });
    expect(status).toBe(400);
    expect(body).toContain('Select at least one page');
    expect((await post(`${path()}/pages`, { action: 'explode', all: '1' })).status).toBe(400);
    expect((await post(`${path()}/pages`, { action: 'track', page: 'x' })).status).toBe(400);
    expect(await tracked()).toEqual([]);
  });

  it('are added by hand, by path or by address on the same host', async () => {
    expect(ledTo(await post(`${path()}/add-page`, { address: '/by-hand?x=1' }))).toBe(`303 ${path()}`);
    await post(`${path()}/add-page`, { address: 'http://site.test/whole' });
    expect(await tracked()).toEqual(['/by-hand?x=1', '/whole']);
    const refused = await post(`${path()}/add-page`, { address: 'http://elsewhere.test/' });
    expect(refused.status).toBe(400);
    expect(refused.body).toContain('id="field-address-error"');
    expect(refused.body).toContain('value="http://elsewhere.test/"');
  });

  it('say what to do where none is tracked, and where the suite is switched off', async () => {
    await insertPages(['/a']);
    expect((await open(path())).body).toMatch(/No pages tracked[^]*Track 1 page/);
    expect((await open(path(), people.viewer)).body).toContain('An editor of the suite can choose');
    await post(`${path()}/active`, { active: 'no' });
    expect((await open(path())).body).toContain('This suite is inactive');
    await api.ctx.db('site_pages').update({ tracked: true });
    expect((await post(`${path()}/run`, {})).status).toBe(409);
  });
});

describe('running a suite', () => {
  it('starts a run of the site, or of a preview', async () => {
    await insertPages(['/'], { tracked: true });
    const path = `/suites/${suite.id}`;
    expect(ledTo(await post(`${path}/run`, {}, people.editor))).toMatch(/^303 \/runs\/[\w-]{36}$/);
    const preview = { targetBaseUrl: 'http://preview.test', branch: 'menu' };
    expect(ledTo(await post(`${path}/run`, preview))).toMatch(/^303 \/runs\//);
    const list = (await open(`${path}/runs`)).body;
    expect(list).toContain('Branch preview');
    expect(list).toContain('menu');
    expect((await open(`${path}/runs?show=branch`)).body).not.toContain('Site run');
    expect((await open(`${path}/runs?show=failed`)).body).toContain('No matching runs');
  });

  it('says at the field what is wrong with the address of a preview, and keeps the form open', async () => {
    await insertPages(['/'], { tracked: true });
    for (const targetBaseUrl of ['', 'preview.test']) {
      const typed = { targetBaseUrl, branch: 'menu', render: 'on' };
      const { status, body } = await post(`/suites/${suite.id}/run`, typed);
      expect(status).toBe(400);
      expect(body).toContain('<details class="drawer" open>');
      expect(body).toContain('id="field-targetBaseUrl-error"');
      expect(body).toContain('value="menu"');
      expect(body).toMatch(/name="render" type="checkbox" value="on" checked/);
    }
  });

  it('is refused, on the page, where nothing is tracked', async () => {
    const { status, body } = await post(`/suites/${suite.id}/run`, {});
    expect(status).toBe(409);
    expect(body).toContain('has no tracked pages');
  });
});

describe('the crawl of a suite', () => {
  const path = () => `/suites/${suite.id}/crawl`;
  const ask = async (query: string) =>
    api.request('GET', `${path()}?${query}`, { token: people.viewer.token, headers: { 'hx-request': 'true' } });

  it('is queued once, and the page asks for it until it is over, at growing times', async () => {
    expect(ledTo(await post(path(), {}))).toBe(`303 /suites/${suite.id}`);
    expect((await post(path(), {})).status).toBe(409);
    const page = (await open(`/suites/${suite.id}`)).body;
    expect(page).toContain('Crawl queued');
    expect(page).toContain('hx-trigger="load delay:2s');
    const same = (await ask('seen=QUEUED&asked=6')).body;
    expect(same).toContain('load delay:15s');
    expect(same).not.toContain('hx-swap-oob');
    await api.ctx.db('test_suites').update({ crawl_status: 'FAILED', crawl_error: `It answered ${HOSTILE}` });
    const over = (await ask('seen=QUEUED&asked=7')).body;
    expect(over).not.toContain('hx-get');
    expect(over).toContain('Crawl failed');
    expect(over).toContain('It answered &lt;script&gt;');
    const link = `<a href="/suites/${suite.id}/access">Set up site access</a></p>`;
    expect(over).not.toContain(link);
    expect((await open(`/suites/${suite.id}`)).body).toContain(link);
  });

  it('is awaited on the page of a new suite, which shows the pages by itself once there are some', async () => {
    expect((await open(`/suites/${suite.id}`)).body).toContain('Finding your pages');
    const waiting = await ask('seen=IDLE&asked=1&empty=yes');
    expect(waiting.body).toContain('empty&#x3D;yes');
    await api.ctx.db('test_suites').update({ crawl_status: 'COMPLETED' });
    const over = await ask('seen=IDLE&asked=2&empty=yes');
    expect([over.status, over.headers.get('hx-redirect')]).toEqual([204, `/suites/${suite.id}`]);
  });

  it('says what it has left out', async () => {
    const crawl_stats = json({ pagesFound: 2, pagesAdded: 2, pagesRemoved: 0, warnings: [`Left out ${HOSTILE}`] });
    await api.ctx.db('test_suites').update({ crawl_status: 'COMPLETED', crawl_stats });
    expect((await open(`/suites/${suite.id}`)).body).toContain('Left out &lt;script&gt;');
  });

  it('shows what it has found so far, and the first run that follows it', async () => {
    const suites = api.ctx.db('test_suites');
    const lastPages = [{ path: '/newest', title: 'Newest' }];
    const running = { crawl_status: 'CRAWLING', crawl_progress: json({ pagesFound: 7, lastPages }) } as const;
    await suites.clone().update(running);
    const news = (await ask('seen=CRAWLING&found=3&asked=9&empty=yes')).body;
    expect(news).toContain('7 pages found so far');
    expect(news).toContain('<code>/newest</code> <span class="muted">Newest</span>');
    expect(news).toContain('load delay:2s');
    expect((await ask('seen=CRAWLING&found=7&asked=9&empty=yes')).body).not.toContain('hx-swap-oob');
    const plain = (await open(`/suites/${suite.id}`)).body;
    expect(plain).toContain('<code>/newest</code>');
    expect(plain).toContain('<noscript><a class="btn btn-sm"');

    await insertPages(['/'], { tracked: true });
    const done = { crawl_status: 'COMPLETED', crawl_progress: null, last_crawled_at: new Date() } as const;
    const config = json({ autoTrack: 'all' } as const);
    await suites.clone().update({ ...done, config, crawl_tracked: json({ tracked: 1, beyondLimit: 2 }) });
    const soon = (await open(`/suites/${suite.id}`)).body;
    expect(soon).toContain('1 tracked automatically; 2 not tracked, because the limit is reached');
    expect(soon).toContain('The first run starts in a moment');
    expect((await ask('seen=COMPLETED&asked=1&empty=yes')).status).toBe(200);
    await startFirstRun(api.ctx, { suiteId: suite.id });
    const started = await ask('seen=COMPLETED&asked=2&empty=yes');
    expect([started.status, started.headers.get('hx-redirect')]).toEqual([204, `/suites/${suite.id}`]);
    expect((await open(`/suites/${suite.id}`)).body).toContain('Watch the first run');
    await api.ctx.db('test_runs').update({ status: 'COMPLETED', ended_at: new Date() });
    expect((await open(`/suites/${suite.id}`)).body).toContain('The baselines are captured');
  });

  it('is asked of a person where it does not come by itself', async () => {
    await api.ctx.db('test_suites').update({ config: { recrawlInterval: 'off' } });
    const { body } = await open(`/suites/${suite.id}`);
    expect(body).toContain('Not crawled yet');
    expect(body).not.toContain('hx-trigger="load');
  });

  it('leads a browser without htmx to the suite', async () => {
    expect(ledTo(await open(path()))).toBe(`303 /suites/${suite.id}`);
  });
});

describe('a single page', () => {
  it('is created with its first run, and has a page of its own', async () => {
    const answer = await post('/single-pages/new', { url: 'http://site.test/pricing?plan=a', name: '' });
    expect(ledTo(answer)).toMatch(/^303 \/runs\//);
    const { body: singlePages } = await api.request('GET', '/api/manual-runs', { token: people.owner.token });
    const page = (await open(`/suites/${singlePages[0].id}`)).body;
    expect(page).toContain('site.test/pricing?plan&#x3D;a');
    expect(page).toContain('Recent runs');
    expect(page).not.toContain('Crawl now');
    expect((await open(`/suites/${singlePages[0].id}`, people.stranger)).status).toBe(404);
    expect(ledTo(await post(`/suites/${singlePages[0].id}/run`, {}))).toMatch(/^303 \/runs\//);
  });

  it('says what is wrong with its address', async () => {
    const { status, body } = await post('/single-pages/new', { url: 'mailto:me@site.test', name: 'Mine' });
    expect(status).toBe(400);
    expect(body).toContain('id="field-url-error"');
    expect(body).toContain('value="Mine"');
    expect(ledTo(await postForm(api, '/single-pages/new', { url: 'http://site.test' }))).toBe('303 /sign-in');
  });
});
