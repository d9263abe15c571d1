import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SuiteRole } from '../../src/access/role.ts';
import { json } from '../../src/db/json.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { decide, listVersions, readRun, shareSuite } from '../support/requests.ts';
import { postForm, unescapeHtml } from '../support/web-form.ts';
import type { OwnSuite } from '../support/world.ts';
import {
  broken,
  changed,
  fresh,
  HOSTILE,
  logLines,
  passed,
  pending,
  runOf,
  settle,
  siteOf,
  type Said,
} from './runs-fixture.ts';

let api: TestApi;
let owner: Account;
let suite: OwnSuite;

beforeAll(async () => {
  api = await startTestApi();
  owner = await api.account('owner');
  suite = await siteOf(api, owner.user, ['/', '/a', '/b', '/c']);
});
afterAll(() => api.stop());

const PULL_REQUEST = {
  runType: 'PR',
  columns: {
    git_owner: 'octo',
    git_repo: 'site',
    git_pr_number: 7,
    git_head_sha: 'ab'.repeat(20),
    git_branch: 'menu',
    git_base_branch: 'main',
  },
} as const;

const MIXED = { '/': changed, '/a': fresh, '/b': broken, '/c': passed };

async function member(role: SuiteRole): Promise<Account> {
  const account = await api.account(role.toLowerCase());
  await shareSuite(api.ctx, owner.user, suite, { email: account.user.email, role });
  return account;
}

async function look(address: string, { token }: Account = owner, headers: Record<string, string> = {}) {
  return api.request('GET', address, { token, headers });
}

const post = async (
  address: string,
  fields: Record<string, string | string[]> = {},
  { token }: Account = owner,
  headers = {},
) => postForm(api, address, fields, { token, headers });

const HTMX = { 'hx-request': 'true' };
const POSTS = ['approve', 'undo', 'cancel', 'rerun'];
const approvedOf = async (runId: string) =>
  (await readRun(api.ctx, owner.user, runId, 'suite.read')).results.filter((result) => result.approved).length;
const versionsOf = async () => (await listVersions(api.ctx, suite, {})).length;

describe('the page of a run', () => {
  it('leads to the sign-in and back', async () => {
    const { id } = await runOf(api, suite, { results: MIXED });
    const answer = await api.request('GET', `/runs/${id}?section=changed`);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`/sign-in?next=${encodeURIComponent(`/runs/${id}?section=changed`)}`);
  });

  it('is not there for strangers, nor are its forms', async () => {
    const { id } = await runOf(api, suite, { results: MIXED });
    const stranger = await api.account('stranger');
    for (const part of ['', '/log', '/live', '/results']) {
      expect([part, (await look(`/runs/${id}${part}`, stranger, HTMX)).status]).toEqual([part, 404]);
    }
    for (const name of POSTS)
      expect([name, (await post(`/runs/${id}/${name}`, {}, stranger)).status]).toEqual([name, 404]);
    expect((await look('/runs/not-an-id')).status).toBe(404);
  });

  it('shows no form to a viewer, and refuses what is posted by hand', async () => {
    const { id } = await runOf(api, suite, { results: MIXED });
    const viewer = await member('VIEWER');
    const { status, body } = await look(`/runs/${id}`, viewer);
    expect(status).toBe(200);
    for (const name of POSTS) expect(body).not.toContain(`/runs/${id}/${name}"`);
    expect(body).not.toContain('data-tick');
    for (const name of POSTS)
      expect([name, (await post(`/runs/${id}/${name}`, {}, viewer)).status]).toEqual([name, 403]);
    expect(await approvedOf(id)).toBe(0);
  });

  it('lets a reviewer approve, but neither cancel nor run again', async () => {
    const { id, resultIds } = await runOf(api, suite, { results: MIXED });
    const reviewer = await member('REVIEWER');
    const { body } = await look(`/runs/${id}`, reviewer);
    expect(body).toContain(`/runs/${id}/approve"`);
    expect(body).not.toContain(`/runs/${id}/rerun"`);
    expect((await post(`/runs/${id}/rerun`, {}, reviewer)).status).toBe(403);
    expect((await post(`/runs/${id}/approve`, { resultIds }, reviewer)).status).toBe(303);
    expect(await approvedOf(id)).toBe(4);
  });

  it('refuses forms of other sites', async () => {
    const { id } = await runOf(api, suite, { results: MIXED });
    for (const name of POSTS) {
      const answer = await post(`/runs/${id}/${name}`, {}, owner, { origin: 'https://evil.example' });
      expect([name, answer.status]).toEqual([name, 403]);
    }
    expect(await approvedOf(id)).toBe(0);
  });

  it('escapes titles, branches and names', async () => {
    const { id } = await runOf(api, suite, { results: MIXED });
    const { body } = await look(`/runs/${id}`);
    expect(body).not.toContain(HOSTILE);
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('links to GitHub, and to previews that are web addresses', async () => {
    const linked = await siteOf(api, owner.user, ['/']);
    const link = { codehost_owner: 'octo', codehost_repo: 'site', codehost_installation_id: 1 };
    await api.ctx.db('test_suites').where({ id: linked.id }).update(link);
    const columns = { ...PULL_REQUEST.columns, git_preview_url: 'https://pr-7.preview.test/' };
    const { id } = await runOf(api, linked, { ...PULL_REQUEST, columns, results: { '/': changed } });
    const { body } = await look(`/runs/${id}`);
    expect(body).toContain('href="https://github.com/octo/site/pull/7"');
    expect(body).toContain(`href="https://github.com/octo/site/commit/${'ab'.repeat(20)}"`);
    expect(body).toContain('href="https://pr-7.preview.test/"');
    await api.ctx.db('test_runs').where({ id }).update({ git_preview_url: 'javascript:alert(1)' });
    expect((await look(`/runs/${id}`)).body).not.toContain('javascript:');
  });

  it('groups results by page, and folds those away that are unchanged', async () => {
    const { id } = await runOf(api, suite, { results: MIXED });
    const { body } = await look(`/runs/${id}?view=pages`);
    const headings = [...String(body).matchAll(/class="section-title">(\w+)/g)].map(([, name]) => name);
    expect(headings).toEqual(['Changed', 'New', 'Errors']);
    expect(body).toContain('<summary><h2>Unchanged on 1 page</h2></summary>');
    expect(body).toContain('4 screenshots to review');
  });

  it('has every id once, also where one viewport of a page changed and the other did not', async () => {
    const { id, resultIds } = await runOf(api, suite, { results: MIXED });
    await api.ctx.db('page_results').where({ id: resultIds[0] }).update({ status: 'PASS' });
    const ids = [...String((await look(`/runs/${id}`)).body).matchAll(/\sid="([^"]+)"/g)].map(([, one]) => one);
    expect(ids).toHaveLength(new Set(ids).size);
  });

  it('narrows them by section, viewport, path and approval', async () => {
    const { id } = await runOf(api, suite, { results: MIXED });
    const shown = async (query: string) =>
      [...String((await look(`/runs/${id}?${query}`)).body).matchAll(/<li class="shot">/g)].length;
    expect(await shown('section=new')).toBe(2);
    expect(await shown('viewport=mobile')).toBe(4);
    expect(await shown('search=%2FB')).toBe(2);
    expect(await shown('unapproved=1')).toBe(4);
    expect(await shown('view=pages&section=nonsense&viewport=')).toBe(8);
    expect((await look(`/runs/${id}?search=nowhere`)).body).toContain('No matching results');
  });

  it('shows and finds them by the characters of their paths', async () => {
    const { id } = await runOf(api, suite, { results: { '/a': changed, '/%E6%9D%B1%E4%BA%AC': changed } });
    const { body } = await look(`/runs/${id}?view=pages&search=${encodeURIComponent('東京')}`);
    expect(body).toContain('<span class="sr-only">/東京 at </span>');
    expect(body).not.toContain('<span class="sr-only">/a at </span>');
  });

  it('stays the list by page when the filter is cleared', async () => {
    const { id } = await runOf(api, suite, { results: MIXED });
    const { body } = await look(`/runs/${id}?view=pages&search=a`);
    const [, toolbar = ''] = /<form[^>]*id="result-toolbar"([^]*?)<\/form>/.exec(body) ?? [];
    expect(toolbar).toContain('<input type="hidden" name="view" value="pages">');
    const [, clear = ''] = /<a href="([^"]*)">Clear/.exec(unescapeHtml(toolbar)) ?? [];
    expect(clear).toBe(`/runs/${id}?view=pages`);
  });

  it('offers what changed since the last approval of the viewer, in runs of one pull request', async () => {
    const at = (git_head_sha: string) => ({
      ...PULL_REQUEST,
      columns: { ...PULL_REQUEST.columns, git_pr_number: 8, git_head_sha },
    });
    const first = await runOf(api, suite, { ...at('6a'.repeat(20)), results: { '/': changed } });
    expect((await look(`/runs/${first.id}`)).body).not.toContain('sinceMine');
    await approveAll(first);
    const second = await runOf(api, suite, { ...at('6b'.repeat(20)), results: { '/': changed, '/a': changed } });
    const { body } = await look(`/runs/${second.id}?sinceMine=1`);
    expect(body).toContain('Changed since your last approval');
    expect([...String(body).matchAll(/<article/g)]).toHaveLength(1);
    expect(body).toContain('Page /a');
  });

  it('says of a run into another branch that it is for information, and nobody is asked to review it', async () => {
    const columns = { ...PULL_REQUEST.columns, git_pr_number: 8, git_base_branch: 'release/4.x', git_gated: false };
    const { id } = await runOf(api, suite, { ...PULL_REQUEST, columns, results: { '/': changed } });
    const { body } = await look(`/runs/${id}`);
    expect(body).toContain('this suite does not gate pull requests into <span class="ref">release/4.x</span>');
    expect(body).toContain('Approved screenshots do not become baselines.');
    expect((await look('/runs?review=PENDING')).body).not.toContain(id);
    expect((await look('/runs')).body).toContain(id);
  });

  it("says of a branch run of the suite's own site that there is no preview", async () => {
    const note = 'captures the suite’s own site, not a preview of it';
    const shows = async (columns: Record<string, unknown>) => {
      const { id } = await runOf(api, suite, { columns, results: { '/': changed } });
      return (await look(`/runs/${id}`)).body.includes(note);
    };
    expect(await shows({ target_base_url: `${suite.baseUrl}/` })).toBe(true);
    expect(await shows({ target_base_url: 'http://preview.test' })).toBe(false);
    expect(await shows({ target_base_url: `${suite.baseUrl}/preview` })).toBe(false);
  });

  it('says that the screenshots of a first run need no review', async () => {
    const { id } = await runOf(api, suite, { runType: 'MANUAL', results: { '/': fresh, '/a': fresh } });
    const { body } = await look(`/runs/${id}`);
    expect(body).toContain('4 new screenshots saved as baseline version 1');
    expect(body).not.toContain('data-tick');
  });

  it('gives htmx the results alone', async () => {
    const { id } = await runOf(api, suite, { results: MIXED });
    const { body } = await look(`/runs/${id}?section=new`, owner, HTMX);
    expect(body).not.toContain('<html');
    expect(body).toContain('Page /a');
  });

  it('comes in parts of 30 pages, with a link to the next', async () => {
    const results = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`/p${n}`, changed]));
    const { id } = await runOf(api, suite, { results: { ...results, '/c': passed } });
    const groups = (body: unknown) => String(body).match(/<article/g)?.length;
    const first = await look(`/runs/${id}?view=pages`);
    expect(groups(first.body)).toBe(30);
    expect(first.body).toContain(`href="/runs/${id}?view&#x3D;pages&amp;offset&#x3D;30"`);
    const part = await look(`/runs/${id}/results?offset=30&last=changed`, owner, HTMX);
    expect([groups(part.body), String(part.body).includes('section-title')]).toEqual([21, false]);
    const second = await look(`/runs/${id}?view=pages&offset=30`);
    expect(groups(second.body)).toBe(21);
    expect(second.body).toContain('Previous pages');
    expect(groups((await look(`/runs/${id}?view=pages&offset=5000`)).body)).toBe(30);
    expect((await look(`/runs/${id}/results?offset=30`)).headers.get('location')).toBe(`/runs/${id}?offset=30`);
  });
});

const approveAll = async ({ id, resultIds }: { id: string; resultIds: string[] }) =>
  post(`/runs/${id}/approve`, { resultIds });

describe('approving', () => {
  it('approves what is ticked, makes versions of a branch run at once, and changes nothing when sent twice', async () => {
    const { id, resultIds } = await runOf(api, suite, { results: MIXED });
    const before = await versionsOf();
    const back = `/runs/${id}?unapproved=1`;
    const fields = { resultIds, note: 'the new menu', back };
    const answer = await post(`/runs/${id}/approve`, fields);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, back]);
    const said = ({ headers }: typeof answer) => decodeURIComponent(headers.get('set-cookie') ?? '');
    expect(said(answer)).toContain('Approved 4 screenshots. 4 baselines have a new version.');
    expect(await versionsOf()).toBe(before + 4);
    const again = await post(`/runs/${id}/approve`, fields);
    expect([again.status, said(again).includes('Nothing was left to approve.')]).toEqual([303, true]);
    expect(await versionsOf()).toBe(before + 4);
  });

  it('takes results one by one, and whole pages', async () => {
    const { id, resultIds } = await runOf(api, suite, { results: MIXED });
    const [one = '', , two = '', three = ''] = resultIds;
    expect((await post(`/runs/${id}/approve`, { resultIds: [one, `${two},${three}`] })).status).toBe(303);
    expect(await approvedOf(id)).toBe(3);
  });

  it('leads to no other site', async () => {
    const { id, resultIds } = await runOf(api, suite, { results: MIXED });
    const answer = await post(`/runs/${id}/approve`, { resultIds, back: 'https://evil.example/' });
    expect(answer.headers.get('location')).toBe('/');
  });

  it.each([
    ['nothing', {}, 'Select what you want to approve'],
    ['a note that is too long', { keys: 'a', note: 'x'.repeat(2001) }, 'at most 2,000 characters'],
    ['what is no id', { resultIds: 'nonsense' }, 'do not belong to this run'],
    ['a result of another run', { resultIds: '00000000-0000-4000-8000-000000000000' }, 'do not belong to this run'],
  ])('refuses %s, and leads back', async (_what, fields, message) => {
    const { id } = await runOf(api, suite, { results: MIXED });
    const { status, body } = await post(`/runs/${id}/approve`, { ...fields, here: `/runs/${id}?view=pages` });
    expect([status, String(body).includes(message)]).toEqual([400, true]);
    expect(body).toContain(`href="/runs/${id}?view&#x3D;pages"`);
    expect(await approvedOf(id)).toBe(0);
  });

  it('is told why not while the run is in flight, and when it is superseded', async () => {
    const flying = await runOf(api, suite, { status: 'RUNNING', results: { '/': changed, '/a': pending } });
    const inFlight = await approveAll(flying);
    expect([inFlight.status, String(inFlight.body).includes('still in progress')]).toEqual([409, true]);
    const metadata = { reason: 'superseded', by: 'cd'.repeat(20) };
    const old = await runOf(api, suite, { ...PULL_REQUEST, status: 'CANCELLED', metadata, results: { '/': changed } });
    expect((await approveAll(old)).status).toBe(409);
    const { body } = await look(`/runs/${old.id}`);
    expect(body).toContain('Superseded by cdcdcdc');
    expect(body).not.toContain('data-tick');
  });

  it('is led from a superseded run to the one that took its place', async () => {
    const [old, by] = ['5a'.repeat(20), '5b'.repeat(20)];
    const at = (git_head_sha: string) => ({ ...PULL_REQUEST, columns: { ...PULL_REQUEST.columns, git_head_sha } });
    const newer = await runOf(api, suite, { ...at(by), results: { '/': changed } });
    const metadata = { reason: 'superseded', by };
    const { id } = await runOf(api, suite, { ...at(old), status: 'CANCELLED', metadata, results: { '/': changed } });
    expect((await look(`/runs/${id}`)).body).toContain(`href="/runs/${newer.id}">Go to the newer run`);
  });

  it('of a pull request can be taken back, of a branch it is until the next run', async () => {
    const columns = { ...PULL_REQUEST.columns, git_head_sha: '12'.repeat(20) };
    const { id, resultIds } = await runOf(api, suite, { ...PULL_REQUEST, columns, results: MIXED });
    await approveAll({ id, resultIds });
    expect((await look(`/runs/${id}`)).body).toContain('Undo 4 approvals');
    expect((await post(`/runs/${id}/undo`, { resultIds: resultIds[0] ?? '' })).status).toBe(303);
    expect(await approvedOf(id)).toBe(3);
    expect((await post(`/runs/${id}/undo`)).status).toBe(303);
    expect(await approvedOf(id)).toBe(0);
    const branch = await runOf(api, suite, { results: MIXED });
    await approveAll(branch);
    expect((await post(`/runs/${branch.id}/undo`)).status).toBe(303);
    expect(await approvedOf(branch.id)).toBe(0);
  });

  it('is offered to be undone, unless that would leave a page without a baseline', async () => {
    const site = await siteOf(api, owner.user, ['/']);
    const approve = async (result: Said) =>
      decodeURIComponent(
        (await approveAll(await runOf(api, site, { results: { '/': result } }))).headers.get('set-cookie') ?? '',
      );
    const [first, second] = [await approve(fresh), await approve(changed)];
    expect([first, second].map((said) => [said.includes('Approved 2 screenshots.'), said.includes('/undo')])).toEqual([
      [true, false],
      [true, true],
    ]);
  });
});

it('tells what a screenshot was captured with', async () => {
  const { id, resultIds } = await runOf(api, suite, { results: { '/': changed } });
  const warnings = JSON.stringify([
    { code: 'dialog', message: 'The page opened a <dialog>' },
    { code: 'login_page', message: 'The page redirected to /login' },
  ]);
  await api.ctx.db('page_results').where({ id: resultIds[0] }).update({ warnings });
  const shown = String((await look(`/runs/${id}/results/${resultIds[0]}?panel=notes`)).body);
  expect(shown).toContain('Captured with a warning: The page opened a &lt;dialog&gt;</li>');
  expect(shown).toContain(`redirected to /login <a href="/suites/${suite.id}/access">`);
});

describe('a request for changes', () => {
  it('is shown with its words, and a decision made before it meets a page with both', async () => {
    const { id, resultIds } = await runOf(api, suite, { results: MIXED });
    const [only = ''] = resultIds;
    expect((await post(`/runs/${id}/request-changes`, { resultIds: only, note: ' ' })).status).toBe(400);
    const reviewer = await member('REVIEWER');
    await decide(api.ctx, reviewer.user, id, {
      decision: 'request_changes',
      note: 'Too <b>pale</b>',
      resultIds: [only],
    });
    const shown = String((await look(`/runs/${id}`)).body);
    expect(shown).toContain('Too &lt;b&gt;pale&lt;/b&gt;');
    expect(shown).toContain('1 screenshot stays out: changes were requested.');
    const refused = await post(`/runs/${id}/approve`, { resultIds: only, seen: '0', note: 'Looks fine' });
    const both = String(refused.body);
    expect([refused.status, /name="seen" value="1"/.test(both)]).toEqual([409, true]);
    for (const part of ['Too &lt;b&gt;pale&lt;/b&gt;', 'Looks fine', `value="${only}"`, 'Approve anyway']) {
      expect(both).toContain(part);
    }
    expect(await approvedOf(id)).toBe(0);
    expect((await post(`/runs/${id}/approve`, { resultIds: only, seen: '1' })).status).toBe(303);
    expect(await approvedOf(id)).toBe(1);
  });
});

/** Opens a page. The answer presses one of its buttons, with what its form has. */
async function open(address: string, label: string) {
  const body = String((await look(address)).body);
  const forms = [...body.matchAll(/<form[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)];
  const [, action = '', inside = ''] = forms.find(([, , html = '']) => html.includes(`${label}</`)) ?? [];
  const inputs = [...inside.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  const fields = inputs.map(([, name = '', value = '']): [string, string] => [name, unescapeHtml(value)]);
  return async () => postForm(api, action, fields, { token: owner.token });
}

describe('the summary for an agent', () => {
  it('says what the gate waits for when every screenshot is decided', async () => {
    const columns = { ...PULL_REQUEST.columns, git_head_sha: '5c'.repeat(20), review_state: 'PENDING' };
    const { id } = await runOf(api, suite, { ...PULL_REQUEST, columns, results: { '/': passed } });
    await api.ctx
      .db('test_runs')
      .where({ id })
      .update({ settings_hash: 'f'.repeat(64) });
    const summary = async () => String((await look(`/runs/${id}/summary.md`)).body);
    expect(await summary()).toContain('Results: 2 passed. The settings wait for a decision.');
    await decide(api.ctx, owner.user, id, { decision: 'request_changes', note: 'No' });
    expect(await summary()).toContain('Results: 2 passed. Changes are requested.');
  });

  it('names the pages that could not be captured, and why', async () => {
    const columns = { ...PULL_REQUEST.columns, git_head_sha: '5e'.repeat(20) };
    const { id } = await runOf(api, suite, { ...PULL_REQUEST, columns, results: { '/': passed, '/a': broken } });
    const text = String((await look(`/runs/${id}/summary.md`)).body);
    expect(text).toMatch(/## 2 screenshots not captured\n\n1\. `[^`]+`\n {3}- pages: `\/a`\n/);
  });
});

describe('the bar of a run', () => {
  it('does not only say that all is approved where something could not be captured', async () => {
    const columns = { ...PULL_REQUEST.columns, git_head_sha: '5d'.repeat(20) };
    const { id } = await runOf(api, suite, { ...PULL_REQUEST, columns, results: { '/': changed, '/a': broken } });
    await decide(api.ctx, owner.user, id, { decision: 'approve' });
    const { body } = await look(`/runs/${id}`);
    expect(body).toContain('<strong>Everything is approved, but 2 screenshots could not be captured</strong>');
  });
});

describe('a comment that is too long', () => {
  it('is kept on a page that says so', async () => {
    const { id } = await runOf(api, suite, { results: MIXED });
    const typed = 'long'.repeat(5000);
    const { status, body } = await post(`/runs/${id}/comments`, { body: typed });
    expect([status, body]).toEqual([400, expect.stringContaining(typed)]);
    expect(body).toMatch(/role="alert">.*Must be at most [\d,]+ characters/);
  });
});

describe('a button that takes something back', () => {
  let heads = 0;
  const reviewed = async (about: (resultIds: string[]) => string[] | undefined) => {
    heads += 1;
    const columns = { ...PULL_REQUEST.columns, git_head_sha: `${heads}`.padEnd(40, 'e') };
    const run = await runOf(api, suite, { ...PULL_REQUEST, columns, results: { '/': changed, '/a': fresh } });
    const reviewer = await member('REVIEWER');
    await decide(api.ctx, reviewer.user, run.id, { decision: 'approve' });
    const asked = { decision: 'request_changes' as const, note: 'No', resultIds: about(run.resultIds) };
    await decide(api.ctx, owner.user, run.id, asked);
    return run;
  };
  const stateOf = async (runId: string) => {
    const { run } = await readRun(api.ctx, owner.user, runId, 'suite.read');
    return [await approvedOf(runId), run.changeRequests, run.reviewState];
  };

  it('undoes approvals of the run, and keeps the request of who presses it', async () => {
    const { id } = await reviewed(() => undefined);
    const press = await open(`/runs/${id}`, 'Undo 4 approvals');
    expect((await press()).status).toBe(303);
    expect(await stateOf(id)).toEqual([0, 1, 'PENDING']);
  });

  it('withdraws a request to the run, and no approval when it is pressed again on an old page', async () => {
    const { id } = await reviewed(() => undefined);
    const pressTwice = await open(`/runs/${id}`, 'Withdraw request');
    for (const again of [1, 2]) expect([again, (await pressTwice()).status]).toEqual([again, 303]);
    expect(await stateOf(id)).toEqual([4, 0, 'APPROVED']);
  });

  it('undoes the approval of a result, and keeps the request of who presses it', async () => {
    const { id, resultIds } = await reviewed(([first = '']) => [first]);
    const press = await open(`/runs/${id}/results/${resultIds[0]}`, 'Undo approval</span>');
    expect((await press()).status).toBe(303);
    expect(await stateOf(id)).toEqual([3, 1, 'PENDING']);
  });

  it('undoes the approval of settings, and keeps the request of who presses it', async () => {
    heads += 1;
    const [settings, git_head_sha] = ['f'.repeat(64), `${heads}`.padEnd(40, 'e')];
    const approval = { settings_hash: settings, settings_approved_at: new Date(), settings_approved_by: owner.user.id };
    const columns = { ...PULL_REQUEST.columns, git_head_sha, ...approval };
    const { id } = await runOf(api, suite, { ...PULL_REQUEST, columns, results: { '/': passed } });
    await decide(api.ctx, owner.user, id, { decision: 'request_changes', note: 'No' });
    const back = `/runs/${id}`;
    expect((await post(`${back}/settings-change`, { decision: 'undo', settings, back })).status).toBe(303);
    const { run } = await readRun(api.ctx, owner.user, id, 'suite.read');
    expect([run.settingsApprovedAt, await stateOf(id)]).toEqual([null, [0, 1, 'PENDING']]);
  });

  it('withdraws the request to a result, and no approval when it is pressed again', async () => {
    const { id, resultIds } = await reviewed(([first = '']) => [first]);
    const pressTwice = await open(`/runs/${id}/results/${resultIds[0]}`, 'Withdraw request</span>');
    for (const again of [1, 2]) expect([again, (await pressTwice()).status]).toEqual([again, 303]);
    expect(await stateOf(id)).toEqual([4, 0, 'APPROVED']);
  });
});

describe('a run in flight', () => {
  const FLYING = { status: 'RUNNING', results: { '/': changed, '/a': pending } } as const;

  it('is asked for less often while nothing moves, and leads to its results when it is over', async () => {
    const { id } = await runOf(api, suite, FLYING);
    const waits: unknown[] = [];
    let address = /hx-get="([^"]+)"/.exec(String((await look(`/runs/${id}`)).body))?.[1] ?? '';
    for (let at = 0; at < 6; at += 1) {
      const { body } = await look(address.replaceAll('&amp;', '&').replaceAll('&#x3D;', '='), owner, HTMX);
      address = /hx-get="([^"]+)"/.exec(String(body))?.[1] ?? '';
      waits.push(/every (\d+)s/.exec(String(body))?.[1]);
    }
    expect(waits).toEqual(['2', '3', '4', '5', '5', '5']);
    await api.ctx.db('test_runs').where({ id }).update({ status: 'COMPLETED' });
    const over = await look(`/runs/${id}/live?section=changed`, owner, HTMX);
    expect([over.status, over.headers.get('hx-redirect')]).toEqual([204, `/runs/${id}?view=pages&section=changed`]);
  });

  it('shows what came since the last look', async () => {
    const { id, resultIds } = await runOf(api, suite, FLYING);
    await settle(api, resultIds[2], { status: 'FAIL', diffScore: 12.5 });
    const { body } = await look(`/runs/${id}/live?settled=2&total=4&wait=5`, owner, HTMX);
    expect(body).toContain(`/runs/${id}/results/${resultIds[2]}`);
    expect(body).toContain('12.5%');
    expect(body).toContain('every 1s');
    const next = /hx-get="([^"]+)"/.exec(String(body))?.[1]?.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&') ?? '';
    await settle(api, resultIds[3], { status: 'ERROR', error: `It said ${HOSTILE}` });
    const since = String((await look(next, owner, HTMX)).body);
    expect(since).toContain(`/runs/${id}/results/${resultIds[3]}`);
    expect(since).toContain('It said &lt;script');
    expect(since).not.toContain(`/runs/${id}/results/${resultIds[2]}`);
  });

  it('can be cancelled, once', async () => {
    const { id } = await runOf(api, suite, FLYING);
    expect((await look(`/runs/${id}`)).body).toContain('Cancel this run?');
    expect((await post(`/runs/${id}/cancel`)).status).toBe(303);
    const again = await post(`/runs/${id}/cancel`);
    expect([again.status, String(again.body).includes('already finished')]).toEqual([409, true]);
  });

  it('says what it waits for', async () => {
    const columns = { ...PULL_REQUEST.columns, git_head_sha: '34'.repeat(20), started_at: null };
    const { id } = await runOf(api, suite, { ...PULL_REQUEST, status: 'PENDING', columns, results: {} });
    const { body } = await look(`/runs/${id}`);
    expect(body).toContain('Waiting for a preview deployment');
    expect(body).toContain('a preview deployment of 3434343');
  });

  it('asks which preview is its own', async () => {
    const named = (name: string) => ({ source: 'DEPLOYMENT' as const, name, project: '', link: null });
    const candidates = [named('Preview – app'), named('Preview – docs')];
    const search = { matcher: null, fallback: null, used: null, failed: null, candidates };
    const columns = { ...PULL_REQUEST.columns, git_head_sha: '35'.repeat(20), git_preview_search: json(search) };
    const { id } = await runOf(api, suite, { ...PULL_REQUEST, status: 'PENDING', columns, results: {} });
    const { body } = await look(`/runs/${id}`);
    expect(body).toContain('Which preview? 2 deployments fit');
    expect(body).toContain('deployment “Preview – app” and deployment “Preview – docs”');
    expect(body).toContain(`/suites/${suite.id}/settings#gate-heading`);
  });
});

describe('errors', () => {
  it('are taken again: those of a page, or all', async () => {
    const run = { results: { '/b': broken, '/c': broken, '/': passed } };
    const { id } = await runOf(api, suite, run);
    expect((await post(`/runs/${id}/rerun`, { path: '/b', back: `/runs/${id}?section=error` })).status).toBe(303);
    const { results } = await readRun(api.ctx, owner.user, id, 'suite.read');
    expect(results.filter((result) => result.status === 'PENDING').map((result) => result.path)).toEqual(['/b', '/b']);
    const other = await runOf(api, suite, run);
    expect((await post(`/runs/${other.id}/rerun`)).status).toBe(303);
    expect((await readRun(api.ctx, owner.user, other.id, 'suite.read')).run.status).toBe('RUNNING');
  });

  it('are not there to be taken again', async () => {
    const { id } = await runOf(api, suite, { results: { '/': passed } });
    const answer = await post(`/runs/${id}/rerun`);
    expect([answer.status, String(answer.body).includes('no results with errors')]).toEqual([409, true]);
  });
});

describe('news of a run', () => {
  it('are of comments after those that the page showed', async () => {
    const { id } = await runOf(api, suite, { results: { '/': changed } });
    const { token } = await member('REVIEWER');
    const comment = async () => api.request('POST', `/api/test-runs/${id}/comments`, { token, body: { body: 'Odd' } });
    await comment();
    const [, next = ''] = /hx-get="([^"]+\/news[^"]+)"/.exec(String((await look(`/runs/${id}`)).body)) ?? [];
    const address = next.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&');
    expect((await look(address, owner, HTMX)).body).not.toContain('new comment');
    await comment();
    expect((await look(address, owner, HTMX)).body).toContain('1 new comment');
  });

  it.each([
    'comment=%20',
    'comment=2026-13-01+10:00:00%2B00',
    'comment=2026',
    'comment=0000-01-01+00:00:00%2B00',
    'seen=2147483648',
  ])('are all for an odd place: %s', async (place) => {
    const { id } = await runOf(api, suite, { results: { '/': changed } });
    expect((await look(`/runs/${id}/news?${place}`, owner, HTMX)).status).toBe(200);
  });

  it('let nobody undo after a verdict with a number that none can have', async () => {
    const { id } = await runOf(api, suite, { results: { '/': changed } });
    expect((await postForm(api, `/runs/${id}/undo`, { since: '2147483648' }, owner)).status).toBe(400);
  });
});

describe('the log of a run', () => {
  it('folds progress lines away, and shows the types that are chosen', async () => {
    const { id } = await runOf(api, suite, { results: MIXED });
    await logLines(api, id, [
      { type: 'SYSTEM', message: 'Run started' },
      { type: 'PROGRESS', message: '1 of 2 screenshots' },
      { type: 'WARNING', message: `cut ${HOSTILE}` },
    ]);
    const { body } = await look(`/runs/${id}/log`);
    expect(body).toContain('Run started');
    expect(body).not.toContain('1 of 2 screenshots');
    expect(body).toContain('1 progress line hidden');
    expect(body).not.toContain(HOSTILE);
    const warnings = await look(`/runs/${id}/log?type=WARNING&type=ERROR`);
    expect(warnings.body).toContain('cut &lt;script');
    expect(warnings.body).not.toContain('Run started');
    expect((await look(`/runs/${id}`)).body).toContain('1 warning in the log');
  });

  it('shows the newest of thousands, and leads to older ones', async () => {
    const { id } = await runOf(api, suite, { results: {} });
    await logLines(
      api,
      id,
      Array.from({ length: 700 }, (_, n) => ({ type: 'INFO', message: `line ${n}.` })),
    );
    const messages = (body: unknown) => [...String(body).matchAll(/line (\d+)\./g)].map(([, n]) => Number(n));
    const newest = await look(`/runs/${id}/log`);
    expect([messages(newest.body)[0], messages(newest.body).at(-1)]).toEqual([400, 699]);
    const older = /href="([^"]+before[^"]+)"/.exec(String(newest.body))?.[1]?.replaceAll('&#x3D;', '=') ?? '';
    const before = messages((await look(older.replaceAll('&amp;', '&'))).body);
    expect([before[0], before.at(-1)]).toEqual([100, 399]);
  });

  it('is added to while the run is in flight', async () => {
    const { id } = await runOf(api, suite, { status: 'RUNNING', results: { '/': pending } });
    await logLines(api, id, [{ type: 'INFO', message: 'first' }]);
    const page = String((await look(`/runs/${id}/log`)).body);
    const next = /hx-get="([^"]+)"/.exec(page)?.[1]?.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&') ?? '';
    await logLines(api, id, [{ type: 'INFO', message: 'second' }]);
    const news = String((await look(next, owner, HTMX)).body);
    expect([news.includes('second'), news.includes('first')]).toEqual([true, false]);
    await api.ctx.db('test_runs').where({ id }).update({ status: 'COMPLETED' });
    const then = /hx-get="([^"]+)"/.exec(news)?.[1]?.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&') ?? '';
    expect((await look(then, owner, HTMX)).headers.get('hx-redirect')).toBe(`/runs/${id}/log`);
  });
});
