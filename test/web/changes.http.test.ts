import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { shareSuite } from '../support/requests.ts';
import type { Account, TestApi } from '../support/api-client.ts';
import { startTestApi } from '../support/api-client.ts';
import { changeOf, storeChanges } from '../support/changes.ts';
import { ledTo, postForm } from '../support/web-form.ts';
import { replaceChanges } from '../../src/runs/results/change-store.ts';
import { HOSTILE, changed, runOf, siteOf } from './runs-fixture.ts';
import type { OwnSuite } from '../support/world.ts';

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
  postForm(api, `/runs/${runId}/changes/approve`, fields, { token });
const key = (letter: string) => changeOf(letter).key;

async function approvedPaths(): Promise<string[]> {
  const rows = await api.ctx.db('page_results').where({ test_run_id: runId, approved: true }).distinct('path');
  return rows.map(({ path }) => String(path)).toSorted((one, other) => one.localeCompare(other));
}

describe('the page of a run', () => {
  it('opens with what changed, the largest first, and where', async () => {
    const { body: text } = await open();
    const names = [...text.matchAll(/<code>header\.(\w)<\/code>/g)].map(([, letter]) => letter);
    expect(names).toEqual(['d', 'e', 'f']);
    expect(text).toContain('3 changes');
    expect(text).toContain('2 pages × 2 viewports');
    expect(text.indexOf('2 pages × 2 viewports')).toBeLessThan(text.indexOf('id="results"'));
  });

  it('shows what pages say as text', async () => {
    const [first] = await resultRows();
    if (first === undefined) throw new Error('no result');
    await replaceChanges(api.ctx.db, first, [changeOf('d', { element: HOSTILE, summary: HOSTILE })]);
    expect((await open()).body).not.toContain(HOSTILE);
    expect((await open(`/runs/${runId}/results/${first.id}`)).body).not.toContain(HOSTILE);
  });

  it('folds faint changes, and leaves the list out where results are filtered', async () => {
    for (const row of await resultRows()) await replaceChanges(api.ctx.db, row, [changeOf('d', { faint: true })]);
    expect((await open()).body).toContain('1 faint change');
    expect((await open(`/runs/${runId}?section=changed`)).body).not.toContain('1 faint change');
  });

  it('goes on in parts when there are many', async () => {
    const [first] = await resultRows();
    if (first === undefined) throw new Error('no result');
    const many = Array.from({ length: 40 }, (_, at) =>
      changeOf('d', { key: `${at}`.padStart(32, '0'), element: `p.n${at}` }),
    );
    await replaceChanges(api.ctx.db, first, many);
    const { body: text } = await open();
    const [, next] = /href="([^"]*changes=30)"/.exec(text.replaceAll('&#x3D;', '=')) ?? [];
    expect(text).toContain('43 changes');
    expect((await open(next)).body).toContain('<code>p.n35</code>');
  });

  it('offers no approval to those who may only look', async () => {
    const viewer = await api.account('viewer');
    await shareSuite(api.ctx, owner.user, suite, { email: viewer.user.email, role: 'VIEWER' });
    const { body: text } = await open(undefined, viewer);
    expect(text).toContain('<code>header.d</code>');
    expect(text).not.toContain('Approve change');
    expect((await post([['only', key('d')]], viewer)).status).toBe(403);
  });
});

/** `/a` shows the change of `/` as another picture. */
async function vary(letter = '1'): Promise<void> {
  for (const row of (await resultRows()).filter(({ path }) => path === '/a')) {
    await replaceChanges(api.ctx.db, row, [changeOf('d', { picture: letter.repeat(32) })]);
  }
}

const changePage = (query = '') => `/runs/${runId}/changes/${key('d')}${query}`;
const unescape = (html: string) => html.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&');

/** The values of a form's fields with this name on a page. */
async function valuesOf(name: string, address?: string): Promise<string[]> {
  const { body } = await open(address);
  return [...unescape(body).matchAll(new RegExp(`name="${name}" value="([^"]*)"`, 'g'))].map(
    ([, value]) => value ?? '',
  );
}
const variantsShown = async (address?: string): Promise<[string, string][]> =>
  (await valuesOf('variants', address)).map((value) => ['variants', value]);

describe('a change that looks different on some pages', () => {
  it('shows every variant with its pages, and asks for a look at all of them before it is approved', async () => {
    await vary();
    const { body: text } = await open();
    expect(text).toContain('Looks different on some pages: 2 variants');
    expect(text).toContain('Approve change in 2 variants…');
    expect(text).not.toContain(`name="only" value="${key('d')}"`);
    const { body: page } = await open(changePage());
    expect(page).toContain('Approve change in 2 variants</button>');
    const parts: string[] = page.split('<article').slice(1);
    expect(parts.map((part) => /Variant \d/.exec(part)?.[0])).toEqual(['Variant 1', 'Variant 2']);
    // What it looks like now, at both viewports. These results have no baseline.
    expect(parts.map((part) => [...part.matchAll(/<img src="[^"]*change[^"]*whole/g)].length)).toEqual([2, 2]);
    expect(parts.map((part) => [...unescape(part).matchAll(/>(\/\w*) at/g)].map(([, path]) => path))).toEqual([
      ['/', '/'],
      ['/a', '/a'],
    ]);
  });

  it('is approved in the variants that were shown, but for those that are left out', async () => {
    await vary();
    const shown = await variantsShown(changePage());
    expect(shown).toHaveLength(2);
    const [, other = ''] = shown[1] ?? [];
    await post([['only', key('d')], ...shown, ['except', other]]);
    expect((await valuesOf('variants', changePage())).length).toBe(1);
    expect(await approvedPaths()).toEqual([]);
    const answer = await post([['only', key('d')], ...(await variantsShown(changePage()))]);
    expect(answer.headers.get('location')).toBe(`/runs/${runId}`);
    expect(await approvedPaths()).toEqual(['/a']);
  });

  it('is shown and not approved where it was sent without its variants, or no longer looks so', async () => {
    await vary();
    const unseen = await post([['only', key('d')]]);
    expect([unseen.status, unseen.body.includes('comes in 2 variants')]).toEqual([409, true]);
    expect(unseen.body).toContain('Variant 2');
    const shown = await variantsShown(changePage());
    await vary('2');
    const changed = await post([['only', key('d')], ...shown]);
    expect([changed.status, changed.body.includes('no longer looks as it was shown')]).toEqual([409, true]);
    const none = await post([
      ['only', key('d')],
      ...shown,
      ...shown.map(([, value]): [string, string] => ['except', value]),
    ]);
    expect([none.status, none.body.includes('Every variant is left out')]).toEqual([400, true]);
    expect(await approvedPaths()).toEqual([]);
  });

  it('is approved with all others in the variants that the page shows', async () => {
    await vary();
    const keys = (await valuesOf('keys')).map((value): [string, string] => ['keys', value]);
    const shown = await variantsShown();
    for (const row of (await resultRows()).filter(({ path }) => path === '/b')) {
      await replaceChanges(api.ctx.db, row, [changeOf('f'), changeOf('d', { picture: '3'.repeat(32) })]);
    }
    expect((await post([...keys, ...shown])).status).toBe(303);
    expect(await approvedPaths()).toEqual(['/', '/a']);
  });

  it('is left out of “Approve all” where a variant was not shown', async () => {
    await vary();
    const all = (shown: string) =>
      postForm(api, `/runs/${runId}/approve`, { scope: 'all', shown }, { token: owner.token });
    const [shown = ''] = await valuesOf('shown');
    expect(shown.split(' ')).toHaveLength(2);
    await all(shown.split(' ')[0] ?? '');
    expect(await approvedPaths()).toEqual(['/', '/b']);
    expect((await open()).body).toContain('1 page × 2 viewports');
    await all(shown);
    expect(await approvedPaths()).toEqual(['/', '/a', '/b']);
  });

  it('goes on in parts when there are many variants', async () => {
    const rows = await resultRows();
    const [first] = rows;
    if (first === undefined) throw new Error('no result');
    const { id } = await runOf(api, suite, {
      results: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`/many-${at}`, changed])),
    });
    runId = id;
    for (const [at, row] of (await resultRows()).entries()) {
      await replaceChanges(api.ctx.db, row, [changeOf('d', { picture: `${at}`.padStart(32, '0') })]);
    }
    const { body: text } = await open();
    expect(text).toContain('24 more variants');
    const { body: page } = await open(changePage());
    expect(page).toContain('Approve 24 of 30 variants');
    expect(page).toContain('1–24 of 30');
    await post([['only', key('d')], ...(await variantsShown(changePage()))]);
    expect(await approvedPaths()).toHaveLength(24);
    const { body: rest } = await open(changePage());
    expect(rest).toContain('Approve 6 of 30 variants');
    expect((await open(changePage('?page=9'))).status).toBe(200);
  });

  it('is not there for others, and not where the run has no such change', async () => {
    const stranger = await api.account('somebody');
    expect((await open(changePage(), stranger)).status).toBe(404);
    expect((await open(`/runs/${runId}/changes/${'0'.repeat(32)}`)).status).toBe(404);
  });
});

describe('the review of a result', () => {
  it('names its changes beside the outlines', async () => {
    const [first] = await resultRows();
    const { body: text } = await open(`/runs/${runId}/results/${first?.id}`);
    expect(text).toContain('<code>header.d</code> <span>background #ffffff → #000000</span>');
    expect(text).toContain('<code>header.e</code>');
  });
});

describe('the form of the changes', () => {
  it('approves one of them wherever it occurs', async () => {
    expect(ledTo(await post([['only', key('d')]]))).toEqual([303, `/runs/${runId}`]);
    expect(await approvedPaths()).toEqual(['/a']);
  });

  it('approves all but those that are ticked', async () => {
    const shown: [string, string][] = ['d', 'e', 'f'].map((letter) => ['keys', key(letter)]);
    await post([...shown, ['except', key('e')]]);
    expect(await approvedPaths()).toEqual(['/a', '/b']);
  });

  it('says so when nothing is left to approve', async () => {
    const answer = await post([
      ['keys', key('d')],
      ['except', key('d')],
    ]);
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('Every change is selected');
    expect(await approvedPaths()).toEqual([]);
  });

  it('leads back to the run where somebody else has decided meanwhile', async () => {
    const other = await api.account('other');
    await shareSuite(api.ctx, owner.user, suite, { userId: other.user.id, role: 'REVIEWER' });
    const [result] = await resultRows();
    const asked = { only: String(result?.id), note: 'Too pale', seen: '0' };
    await postForm(api, `/runs/${runId}/request-changes`, asked, { token: other.token });
    const { status, body } = await post([
      ['only', key('d')],
      ['seen', '0'],
    ]);
    const [, keep] = /href="([^"]*)">Keep this decision/.exec(unescape(body)) ?? [];
    expect([status, keep, (await open(keep)).status]).toEqual([409, `/runs/${runId}`, 200]);
  });

  it('is there again after an undo', async () => {
    await api.ctx
      .db('test_runs')
      .where({ id: runId })
      .update({ run_type: 'PR', git_owner: 'o', git_repo: 'r', git_pr_number: 1 });
    await post([['only', key('d')]]);
    expect(await approvedPaths()).toEqual(['/a']);
    await postForm(api, `/runs/${runId}/undo`, {}, { token: owner.token });
    const rows = await api.ctx
      .db('result_changes')
      .where({ test_run_id: runId, change_key: key('d') })
      .whereNotNull('approved_at');
    // Of the results that were approved; the others were never.
    expect(rows).toHaveLength(2);
    expect((await open()).body).toContain('3 changes</h2>');
  });
});
