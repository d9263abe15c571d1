import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setStage, share, type Stage } from '../api/fixture.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';

let api: TestApi;
let first: Account;
let owner: Account;
let viewer: Account;
let stage: Stage;
beforeAll(async () => {
  api = await startTestApi();
  first = await api.account('first');
  owner = await api.account('owner');
  viewer = await api.account('viewer');
  stage = await setStage(api, owner, await api.account('bystander'));
  await share(api, stage.suite, owner, viewer, 'VIEWER');
  const body = { name: 'Shop <b>' };
  await api.request('PATCH', `/api/test-suites/${stage.suite.id}`, { token: owner.token, body });
});
afterAll(async () => api.stop());

const read = async (path: string, by = owner) =>
  api.request('GET', path, { token: by.token, headers: { accept: 'text/html' } });
const log = async (query = '', by = owner) => {
  const { status, body } = await read(`/suites/${stage.suite.id}/audit${query}`, by);
  expect(status).toBe(200);
  return String(body);
};
/** The rows of the list, newest first. */
const rowsOf = (body: string) => /<ol class="rows">(.*?)<\/ol>/s.exec(body)?.[1]?.split('<li>').slice(1) ?? [];
const linkTo = (body: string, label: string) =>
  new RegExp(`href="([^"]+)"[^>]*>${label}`).exec(body)?.[1]?.replaceAll('&amp;', '&').replaceAll('&#x3D;', '=');

const addEvents = async (count: number, columns: object = {}) =>
  api.ctx.db('events').insert(
    Array.from({ length: count }, () => ({
      kind: 'pages.found',
      actor_kind: 'clock',
      suite_id: stage.suite.id,
      details: JSON.stringify({ pages: 3, paths: ['/'], tracked: 0, first: false }),
      ...columns,
    })),
  );

describe('the audit log of a suite', () => {
  it('says what happened in words, with who, where from and when', async () => {
    const [row = ''] = rowsOf(await log('?kind=suite.changed'));
    expect(row).toMatch(/owner changed 1 setting: name/);
    expect(row).toMatch(/from (::ffff:)?127\.0\.0\.1/);
    expect(row).toContain('<time datetime=');
  });

  it('shows a viewer the timeline, without addresses, and offers no other kinds', async () => {
    const body = await log('', viewer);
    expect(rowsOf(body).length).toBeGreaterThan(0);
    expect(body).not.toMatch(/127\.0\.0\.1|gave viewer the role/);
    expect(body).not.toContain('value="access.granted"');
    expect(await log()).toContain('value="access.granted"');
    expect(rowsOf(await log('?kind=access.granted', viewer))).toEqual([]);
  });

  it('is filtered by kind, person and day, and ignores what is none', async () => {
    const all = rowsOf(await log());
    for (const query of ['?kind=nothing', '?from=yesterday', '?before=x', '?run=x']) {
      expect(rowsOf(await log(query))).toEqual(all);
    }
    const byOwner = rowsOf(await log(`?person=${owner.user.email.toUpperCase()}`));
    expect(byOwner.length).toBeGreaterThan(0);
    expect(byOwner.every((row) => row.includes('owner'))).toBe(true);
    const today = new Date().toISOString().slice(0, 10);
    expect(rowsOf(await log(`?from=${today}&to=${today}`))).toEqual(all);
    expect(rowsOf(await log(`?from=2001-01-01&to=2001-01-02`))).toEqual([]);
  });

  it('answers the same about a person who did nothing and one who does not exist', async () => {
    const words = async (person: string) => (await log(`?person=${person}`)).replaceAll(person, 'PERSON');
    expect(await words(first.user.email)).toBe(await words('nobody@example.com'));
  });

  it('is the timeline of a run, which its page links to', async () => {
    const page = await read(`/runs/${stage.runId}`);
    const timeline = `/suites/${stage.suite.id}/audit?run=${stage.runId}`;
    expect(linkTo(page.body, '.*Timeline')).toBe(timeline);
    const rows = rowsOf((await read(timeline)).body);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((row) => row.includes(`/runs/${stage.runId}`))).toBe(true);
  });

  it('comes in pages, each with at most fifty events', async () => {
    await addEvents(60);
    const [one, two] = [await log('?kind=pages.found'), ''];
    expect(rowsOf(one)).toHaveLength(50);
    const older = linkTo(one, 'Older') ?? two;
    expect(older).toContain('kind=pages.found');
    const next = (await read(older)).body;
    expect(rowsOf(next)).toHaveLength(10);
    expect(linkTo(next, '.*Newest')).toBe(`/suites/${stage.suite.id}/audit?kind=pages.found`);
  });

  it('offers the same list as a file', async () => {
    const body = await log(`?kind=suite.changed&person=${owner.user.email}&from=2001-01-01&to=2100-01-01`);
    for (const [label, type] of [
      ['Export CSV', 'text/csv; charset=utf-8'],
      ['Export JSON lines', 'application/jsonl'],
    ] as const) {
      const file = await read(linkTo(body, label) ?? '');
      expect([file.status, file.headers.get('content-type')]).toEqual([200, type]);
      expect(file.body).toContain('owner changed 1 setting: name');
      expect(file.body).not.toContain('pages.found');
    }
  });

  it('has no run of another suite, and is hidden from others', async () => {
    const stranger = await api.account('stranger');
    const others = await setStage(api, stranger, first);
    const path = `/suites/${stage.suite.id}/audit`;
    expect((await read(path, stranger)).status).toBe(404);
    expect((await read(`${path}?run=${others.runId}`)).status).toBe(404);
  });
});

describe('the audit log of the installation', () => {
  it('is for administrators', async () => {
    for (const query of ['', '?person=nobody@example.com', `?run=${stage.runId}`, `?suite=${stage.suite.id}`]) {
      expect([query, (await read(`/audit${query}`, owner)).status]).toEqual([query, 403]);
    }
    expect((await read('/audit', first)).status).toBe(200);
  });

  it('has the events of all suites, of each alone, and those of accounts', async () => {
    await addEvents(1, { kind: 'sign_in.failed', suite_id: null, details: '{"email":"eve@example.com"}' });
    const { body } = await read('/audit', first);
    expect(body).toContain('failed to sign in as eve@example.com');
    const ofSuite = linkTo(body, 'Only this suite');
    expect(ofSuite).toMatch(/^\/audit\?suite=/);
    const alone = await read(ofSuite ?? '', first);
    expect(rowsOf(alone.body).length).toBeGreaterThan(0);
    expect(alone.body).not.toContain('eve@example.com');
  });
});
