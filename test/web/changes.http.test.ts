import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { replaceChanges } from '../../src/runs/results/change-store.ts';
import { halfBlack } from '../api/fixture.ts';
import { codeOf, startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { changeOf, storeChanges } from '../support/changes.ts';
import { shareSuite } from '../support/requests.ts';
import { cookieSet, ledTo, postForm, unescapeHtml } from '../support/web-form.ts';
import type { OwnSuite } from '../support/world.ts';
import { changed, HOSTILE, runOf, siteOf } from './runs-fixture.ts';

const NOTICE = 'pixelgate_notice';

let api: TestApi;
let owner: Account;
let suite: OwnSuite;
let runId: string;

beforeAll(async () => {
  api = await startTestApi();
  owner = await api.account('owner');
  suite = await siteOf(api, owner.user, ['/', '/a', '/b']);
});
afterAll(() => api.stop());

async function resultRows() {
  return api.ctx
    .db('page_results')
    .where({ test_run_id: runId })
    .orderBy('position')
    .select('id', 'test_run_id', 'path');
}

beforeEach(async () => {
  ({ id: runId } = await runOf(api, suite, { results: { '/': changed, '/a': changed, '/b': changed } }));
  await storeChanges(api.ctx.db, await resultRows(), { '/': 'de', '/a': 'd', '/b': 'f' });
});

const open = async (address = `/runs/${runId}`, { token }: Account = owner) => api.request('GET', address, { token });
const post = async (fields: [string, string][], { token }: Account = owner) =>
  postForm(api, `/runs/${runId}/approve`, fields, { token });
const key = (letter: string) => changeOf(letter).key;

async function approvedPaths(): Promise<string[]> {
  const rows = await api.ctx.db('page_results').where({ test_run_id: runId, approved: true }).distinct('path');
  return rows.map(({ path }) => String(path)).toSorted((one, other) => one.localeCompare(other));
}

it('approves no change while the storage has lost a screenshot with it, by the form and by the API', async () => {
  const lost = `suites/${suite.id}/${'ef'.repeat(32)}.png`;
  await api.ctx.db('page_results').where({ test_run_id: runId, path: '/a' }).update({ current_file: lost });
  const { status, body } = await post([['keys', key('d')]]);
  expect([status, body.includes('The screenshot of /a at desktop is no longer in storage')]).toEqual([409, true]);
  const approve = async (letter: string) =>
    api.request('POST', `/api/test-runs/${runId}/changes/${key(letter)}/approve`, { token: owner.token });
  const refused = await approve('d');
  expect(codeOf(refused)).toEqual([409, 'screenshot_lost']);
  expect(await api.ctx.db('result_changes').where({ test_run_id: runId }).whereNotNull('approved_at')).toEqual([]);
  // A change elsewhere does not wait for it, nor does one whose lost screenshots were decided about before.
  expect((await approve('f')).status).toBe(200);
  await api.ctx
    .db('page_results')
    .where({ test_run_id: runId, path: '/a' })
    .update({ approved: true, approved_at: new Date() });
  expect((await approve('d')).status).toBe(200);
});

it('approves no change while a screenshot with it is stored without its end', async () => {
  const other = await siteOf(api, owner.user, ['/']);
  const cut = `suites/${other.id}/${'fe'.repeat(32)}.png`;
  await api.ctx.storage.put(cut, halfBlack(3).subarray(0, -1));
  const { id } = await runOf(api, other, { results: { '/': changed } });
  const results = api.ctx.db('page_results').where({ test_run_id: id });
  await results.clone().update({ current_file: cut });
  const rows = await results.select('id', 'test_run_id', 'path');
  await storeChanges(api.ctx.db, rows, { '/': 'd' });
  const address = `/api/test-runs/${id}/changes/${key('d')}/approve`;
  const approve = async () => api.request('POST', address, { token: owner.token });
  expect(codeOf(await approve())).toEqual([409, 'screenshot_lost']);
  // The page was captured again, and looks the same.
  await api.ctx.storage.put(cut, halfBlack(3));
  expect((await approve()).status).toBe(200);
});

describe('the page of a run', () => {
  it('opens with what changed, the largest first, and where', async () => {
    const { body: text } = await open();
    const names = [...text.matchAll(/<code>header\.(\w)<\/code>/g)].map(([, letter]) => letter);
    expect(names).toEqual(['d', 'e', 'f']);
    expect(text).toContain('3 changes to review');
    expect(text).toContain('2 pages × 2 viewports');
    expect(text.indexOf('2 pages × 2 viewports')).toBeLessThan(text.indexOf('id="results"'));
  });

  it('shows what pages say as text', async () => {
    const [first] = await resultRows();
    if (first === undefined) throw new Error('no result');
    await replaceChanges(api.ctx.db, first, [changeOf('d', { element: HOSTILE, summary: HOSTILE })]);
    expect((await open()).body).not.toContain(HOSTILE);
    expect((await open(`/runs/${runId}/results/${first.id}?panel=notes`)).body).not.toContain(HOSTILE);
    expect((await open(`/runs/${runId}/results/${first.id}?change=${key('d')}`)).body).not.toContain(HOSTILE);
  });

  it('folds faint changes, and has the results by page as its other list', async () => {
    for (const row of await resultRows()) await replaceChanges(api.ctx.db, row, [changeOf('d', { faint: true })]);
    expect((await open()).body).toContain('1 faint change');
    for (const query of ['section=changed', 'view=pages'])
      expect((await open(`/runs/${runId}?${query}`)).body).not.toContain('1 faint change');
  });

  it('goes on in parts when there are many', async () => {
    const [first] = await resultRows();
    if (first === undefined) throw new Error('no result');
    const many = Array.from({ length: 40 }, (_, at) =>
      changeOf('d', { key: `${at}`.padStart(32, '0'), element: `p.n${at}` }),
    );
    await replaceChanges(api.ctx.db, first, many);
    const { body: text } = await open();
    const [, next] = /href="([^"]*changes=30)"/.exec(unescapeHtml(text)) ?? [];
    expect(text).toContain('43 changes');
    expect((await open(next)).body).toContain('<code>p.n35</code>');
  });

  it('leads from the last other screenshot to an undecided change, however far down it is', async () => {
    const [first, other, ...rest] = await resultRows();
    if (first === undefined || other === undefined) throw new Error('no result');
    const keys = Array.from({ length: 80 }, (_, at) => `${at}`.padStart(32, '0'));
    await replaceChanges(
      api.ctx.db,
      first,
      keys.map((each) => changeOf('d', { key: each })),
    );
    for (const row of [other, ...rest]) await replaceChanges(api.ctx.db, row, []);
    const decided = { approved_at: new Date(), approved_by: owner.user.id };
    const [last = ''] = keys.slice(-5);
    await api.ctx
      .db('result_changes')
      .where({ page_result_id: first.id })
      .whereNot({ change_key: last })
      .update(decided);
    const ids = rest.map(({ id }) => id);
    await api.ctx
      .db('page_results')
      .whereIn('id', ids)
      .update({ approved: true, ...decided });
    const { body } = await open(`/runs/${runId}/results/${other.id}?rest=1`);
    expect(unescapeHtml(body)).toContain(`name="back" value="/runs/${runId}/results/${first.id}?change=${last}"`);
  });

  it('begins with the first ones where an old address asks for more than there are', async () => {
    const { body: text } = await open(`/runs/${runId}?changes=30`);
    expect(text).toContain('3 changes to review');
    expect(text).toContain('<code>header.d</code>');
  });

  it('offers no approval to those who may only look', async () => {
    const viewer = await api.account('viewer');
    await shareSuite(api.ctx, owner.user, suite, { email: viewer.user.email, role: 'VIEWER' });
    const { body: text } = await open(undefined, viewer);
    expect(text).toContain('<code>header.d</code>');
    expect(text).not.toContain('data-tick');
    expect((await post([['keys', key('d')]], viewer)).status).toBe(403);
  });
});

/** `/a` shows the change of `/` as another picture. */
async function vary(letter = '1'): Promise<void> {
  for (const row of (await resultRows()).filter(({ path }) => path === '/a')) {
    await replaceChanges(api.ctx.db, row, [changeOf('d', { picture: letter.repeat(32) })]);
  }
}

const changePath = (letter: string) => `/runs/${runId}/changes/${key(letter)}`;

/** The review at a change, where a check leads. */
async function review(letter: string): Promise<{ address: string; text: string }> {
  const address = (await open(changePath(letter))).headers.get('location') ?? '';
  return { address, text: unescapeHtml((await open(address)).body) };
}

/** What the button of the review sends, and says. */
function approval(text: string): { fields: [string, string][]; says: string } {
  const [, form = '', says = ''] =
    /<form class="review-approve"([^]*?)<span class="verdict-long">([^<]*)<\/span>/.exec(text) ?? [];
  const fields = [...form.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value],
  );
  return { fields, says };
}

describe('the review of a change', () => {
  it('says what changed and where it shows, with ways to the next change and the next screenshot', async () => {
    const { text } = await review('d');
    expect(text).toContain('Background #ffffff → #000000');
    expect(text).toContain('Change 1 of 3');
    expect([...text.matchAll(/class="strip-item"/g)]).toHaveLength(4);
    expect(text).toMatch(new RegExp(`change=${key('e')}" rel="next" aria-keyshortcuts="j"`));
    expect(text).toMatch(new RegExp(`change=${key('d')}" aria-keyshortcuts="l"`));
    expect(approval(text).says).toBe('Approve change (4 screenshots)');
  });

  it('is approved with its button, which leads to the next that is undecided', async () => {
    const answer = await post(approval((await review('d')).text).fields);
    const next = (await review('e')).address;
    expect(ledTo(answer)).toEqual([303, next]);
    expect(await approvedPaths()).toEqual(['/a']);
    const notice = decodeURIComponent(cookieSet(answer, NOTICE) ?? '');
    expect(notice).toContain('Approved 1 change (4 screenshots). 2 baselines have a new version.');
    expect(notice).toContain('2 screenshots have other changes to decide.');
    const [last] = [await review('f')];
    expect((await open(`/runs/${runId}/review`)).headers.get('location')).toBe(next);
    expect(last.text).toContain('Change 3 of 3');
  });

  it('is taken back with the undo of the notice, and nothing else is', async () => {
    await post([['keys', key('f')]]);
    const answer = await post(approval((await review('d')).text).fields);
    const [, since = ''] = /"since":"(\d+)"/.exec(decodeURIComponent(cookieSet(answer, NOTICE) ?? '')) ?? [];
    expect(await approvedPaths()).toEqual(['/a', '/b']);
    await postForm(api, `/runs/${runId}/undo`, { since }, { token: owner.token });
    expect(await approvedPaths()).toEqual(['/b']);
    expect(approval((await review('d')).text).says).toBe('Approve change (4 screenshots)');
  });

  it('is taken back without what the viewer decided after it, in another tab', async () => {
    const columns = { run_type: 'PR', git_owner: 'o', git_repo: 'r', git_pr_number: 2 };
    await api.ctx.db('test_runs').where({ id: runId }).update(columns);
    const answer = await post(approval((await review('d')).text).fields);
    const [, undo = '{}'] = /"fields":(\{[^}]*\})/.exec(decodeURIComponent(cookieSet(answer, NOTICE) ?? '')) ?? [];
    const [, , , , result] = await resultRows();
    const about = { resultIds: String(result?.id), note: 'Too pale' };
    await postForm(api, `/runs/${runId}/request-changes`, about, { token: owner.token });
    const sent: Record<string, string> = JSON.parse(undo);
    expect((await postForm(api, `/runs/${runId}/undo`, sent, { token: owner.token })).status).toBe(303);
    expect(await approvedPaths()).toEqual([]);
    expect(await api.ctx.db('change_requests').where({ test_run_id: runId })).toHaveLength(1);
  });

  it('goes on with what has no known change, and comes back from there', async () => {
    for (const row of (await resultRows()).filter(({ path }) => path === '/b')) {
      await replaceChanges(api.ctx.db, row, []);
    }
    const { text } = await review('e');
    expect(text).toContain('2 other screenshots to review');
    const [, rest = ''] = /href="([^"]*rest=1)" rel="next"/.exec(text) ?? [];
    const after = unescapeHtml((await open(rest)).body);
    expect(after).toContain('1 of 2');
    expect(after).toMatch(new RegExp(`change=${key('e')}" rel="prev"`));
    expect(approval(after).says).toBe('Approve screenshot');
  });

  it('leaves out what somebody asked to be changed, and says so', async () => {
    const [first] = await resultRows();
    const about = { resultIds: String(first?.id), note: 'Too pale' };
    await postForm(api, `/runs/${runId}/request-changes`, about, { token: owner.token });
    const { text } = await review('d');
    expect(approval(text).says).toBe('Approve change (3 screenshots)');
    const answer = await post(approval(text).fields);
    const notice = decodeURIComponent(cookieSet(answer, NOTICE) ?? '');
    expect(notice).toContain('1 screenshot stays out: changes were requested.');
    expect((await open()).body).toContain('1 screenshot stays out: changes were requested.');
  });

  it('says how many of its screenshots a request for changes is about, when not all are shown', async () => {
    const paths = Array.from({ length: 35 }, (_, at) => `/same-${at}`);
    const results = Object.fromEntries(paths.map((path) => [path, changed]));
    ({ id: runId } = await runOf(api, suite, { results }));
    await storeChanges(api.ctx.db, await resultRows(), Object.fromEntries(paths.map((path) => [path, 'd'])));
    const { text } = await review('d');
    expect(approval(text).says).toBe('Approve change (70 screenshots)');
    expect(text).toContain('60 of 70 screenshots of this change');
    expect((await review('d')).text).not.toContain('All 60 screenshots');
  });

  it('is not there for others, and not where the run has no such change', async () => {
    const stranger = await api.account('somebody');
    expect((await open(changePath('d'), stranger)).status).toBe(404);
    expect((await open(`/runs/${runId}/changes/${'0'.repeat(32)}`)).status).toBe(404);
  });
});

describe('a change that looks different on some pages', () => {
  it('shows every variant, and is approved in those that were shown', async () => {
    await vary();
    const { body } = await open();
    expect(body).toContain('Looks different on some pages: 2 variants');
    const { text } = await review('d');
    expect(text).toContain('Variant 2: 2 screenshots');
    const { fields, says } = approval(text);
    expect(says).toBe('Approve change in 2 variants (4 screenshots)');
    expect(fields.filter(([name]) => name === 'variants')).toHaveLength(2);
    const one = fields.filter(([name], at) => name !== 'variants' || fields[at + 1]?.[0] === 'variants');
    await post(one);
    expect(approval((await review('d')).text).says).toBe('Approve change in 1 of 2 variants (2 screenshots)');
    await post(fields);
    expect(await approvedPaths()).toEqual(['/a']);
  });

  it('is not approved where it was sent without its variants, or no longer looks so', async () => {
    await vary();
    const unseen = await post([['keys', key('d')]]);
    expect([unseen.status, unseen.body.includes('comes in 2 variants')]).toEqual([409, true]);
    const { fields } = approval((await review('d')).text);
    await vary('2');
    const changedSince = await post(fields);
    expect([changedSince.status, changedSince.body.includes('no longer looks as it was shown')]).toEqual([409, true]);
    expect(await approvedPaths()).toEqual([]);
  });

  it('is ticked on the page of the run in the variants that it shows', async () => {
    await vary();
    const { body } = await open();
    const ticked = [...body.matchAll(/name="(keys|variants)" value="([^"]*)"/g)];
    const fields = ticked.map(([, name = '', value = '']): [string, string] => [name, value]);
    for (const row of (await resultRows()).filter(({ path }) => path === '/b')) {
      await replaceChanges(api.ctx.db, row, [changeOf('f'), changeOf('d', { picture: '3'.repeat(32) })]);
    }
    expect((await post(fields)).status).toBe(303);
    expect(await approvedPaths()).toEqual(['/', '/a']);
  });

  it('is shown in parts when there are many variants', async () => {
    const { id } = await runOf(api, suite, {
      results: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`/many-${at}`, changed])),
    });
    runId = id;
    for (const [at, row] of (await resultRows()).entries()) {
      const others = row.path === '/many-29' ? [changeOf('f')] : [];
      await replaceChanges(api.ctx.db, row, [changeOf('d', { picture: `${at}`.padStart(32, '0') }), ...others]);
    }
    const { fields, says } = approval((await review('d')).text);
    expect(says).toBe('Approve change in 24 of 30 variants (48 screenshots)');
    const answer = await post(fields);
    expect(answer.headers.get('location')).toBe(changePath('d'));
    expect(await approvedPaths()).toHaveLength(24);
    const rest = approval((await review('d')).text);
    expect(rest.says).toBe('Approve change in 6 of 30 variants (12 screenshots)');
    // Nothing is left of it then, so the next change comes, and no way leads back to this one.
    const next = (await post(rest.fields)).headers.get('location');
    expect(next).toContain(`change=${key('f')}`);
    expect((await review('d')).text).toMatch(new RegExp(`href="[^"]*change=${key('f')}"[^>]*>.*Next to decide`));
  });
});

describe('the form of the ticks', () => {
  it('approves changes and results together', async () => {
    for (const row of (await resultRows()).filter(({ path }) => path === '/b')) {
      await replaceChanges(api.ctx.db, row, []);
    }
    const ids = (await resultRows()).filter(({ path }) => path === '/b').map(({ id }) => String(id));
    const answer = await post([
      ['keys', key('d')],
      ['resultIds', ids.join(',')],
    ]);
    expect(decodeURIComponent(cookieSet(answer, NOTICE) ?? '')).toContain('Approved 1 change (6 screenshots)');
    expect(await approvedPaths()).toEqual(['/a', '/b']);
  });

  it('is no success when nothing was left to approve', async () => {
    const fields: [string, string][] = [['keys', key('f')]];
    await post(fields);
    const again = decodeURIComponent(cookieSet(await post(fields), NOTICE) ?? '');
    expect([again.includes('Nothing was left to approve.'), again.includes('"isProblem":true')]).toEqual([true, true]);
  });

  it('leads back to the run where somebody else has decided meanwhile', async () => {
    const other = await api.account('other');
    await shareSuite(api.ctx, owner.user, suite, { userId: other.user.id, role: 'REVIEWER' });
    const [, , , , result] = await resultRows();
    const about = { resultIds: String(result?.id), note: 'Too pale', seen: '0' };
    await postForm(api, `/runs/${runId}/request-changes`, about, { token: other.token });
    await postForm(api, `/runs/${runId}/undo`, { resultIds: String(result?.id) }, { token: other.token });
    const { status, body } = await post([
      ['keys', key('f')],
      ['seen', '0'],
    ]);
    const [, keep] = /href="([^"]*)">Keep this decision/.exec(unescapeHtml(body)) ?? [];
    expect([status, keep, (await open(keep)).status]).toEqual([409, `/runs/${runId}`, 200]);
  });

  it('is there again after an undo of everything', async () => {
    const columns = { run_type: 'PR', git_owner: 'o', git_repo: 'r', git_pr_number: 1 };
    await api.ctx.db('test_runs').where({ id: runId }).update(columns);
    await post([['keys', key('d')]]);
    expect(await approvedPaths()).toEqual(['/a']);
    await postForm(api, `/runs/${runId}/undo`, {}, { token: owner.token });
    const rows = await api.ctx
      .db('result_changes')
      .where({ test_run_id: runId, change_key: key('d') })
      .whereNotNull('approved_at');
    // Of the results that were approved; the others were never.
    expect(rows).toHaveLength(2);
    expect((await open()).body).toContain('3 changes to review');
  });
});
