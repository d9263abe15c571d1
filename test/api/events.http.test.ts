import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PASSWORD, startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { setStage, share, type Stage } from './fixture.ts';

let api: TestApi;
let first: Account;
let owner: Account;
let viewer: Account;
let stranger: Account;
let stage: Stage;
beforeAll(async () => {
  api = await startTestApi();
  first = await api.account('first');
  owner = await api.account('owner');
  viewer = await api.account('viewer');
  stranger = await api.account('stranger');
  stage = await setStage(api, owner, stranger);
  await share(api, stage.suite, owner, viewer, 'VIEWER');
});
afterAll(async () => api.stop());

type Told = {
  id: number;
  kind: string;
  text: string;
  actor: Record<string, unknown>;
  details: Record<string, unknown>;
};

async function list(by: Account, query: string): Promise<Told[]> {
  const { status, body } = await api.request('GET', `/api/events?${query}`, { token: by.token });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

const ofSuite = async (by: Account, query = '') => list(by, `suiteId=${stage.suite.id}${query}`);
const suitePath = (rest = '') => `/api/test-suites/${stage.suite.id}${rest}`;

describe('the record of events', () => {
  it('has a change of settings with both values, the person and where it came from, once', async () => {
    const body = { name: 'Shop', config: { maxPages: 7 } };
    const before = { name: stage.suite.name, maxPages: stage.suite.config.maxPages };
    for (const _ of [1, 2]) await api.request('PATCH', suitePath(), { token: owner.token, body });
    expect(await ofSuite(owner, '&kind=suite.changed')).toMatchObject([
      {
        text: `owner changed 2 settings: name and maxPages`,
        actor: { kind: 'person', id: owner.user.id, address: expect.any(String) },
        details: {
          changes: [
            { setting: 'name', from: before.name, to: 'Shop' },
            { setting: 'maxPages', from: before.maxPages, to: 7 },
          ],
        },
      },
    ]);
  });

  it('names the token of a program', async () => {
    const made = await api.request('POST', '/api/tokens', {
      token: owner.token,
      body: { name: 'CI', expiresInDays: 1 },
    });
    await api.request('PATCH', suitePath(), { token: String(made.body.secret), body: { name: 'By a program' } });
    const [told] = await ofSuite(owner, '&kind=suite.changed');
    expect(told).toMatchObject({ actor: { kind: 'token', id: owner.user.id, via: 'CI' } });
    expect(told?.text).toContain('(with the token “CI”)');
  });

  it('has each secret by its kind and never its value', async () => {
    const body = { basic: { username: 'ada', password: 'a very secret word' } };
    const { status } = await api.request('PUT', suitePath('/site-access'), { token: owner.token, body });
    expect(status).toBe(200);
    const told = await ofSuite(owner, '&kind=site_access.changed');
    expect(told).toMatchObject([{ details: { kinds: ['basic'] } }]);
    expect(JSON.stringify(await api.ctx.db('events').select())).not.toContain('a very secret word');
  });

  it('has how runs ended, and reviews that were asked for and given', async () => {
    await api.request('POST', `/api/test-runs/${stage.runId}/approve-visuals`, { token: owner.token, body: {} });
    const kinds = (await list(viewer, `runId=${stage.runId}`)).map(({ kind }) => kind);
    expect(kinds).toEqual(['review.approved', 'baseline.promoted', 'review.required', 'run.completed']);
  });

  it('has sign-ins and failed ones, for administrators only', async () => {
    const email = owner.user.email;
    await api.request('POST', '/api/auth/login', { body: { email, password: PASSWORD } });
    await api.request('POST', '/api/auth/login', { body: { email, password: 'wrong password' } });
    const [failed] = await list(first, 'kind=sign_in.failed');
    expect(failed).toMatchObject({ actor: { id: owner.user.id }, details: { email } });
    expect((await list(first, `kind=sign_in.succeeded&actorId=${owner.user.id}`)).length).toBeGreaterThan(0);
    for (const by of [owner, viewer]) {
      expect((await api.request('GET', '/api/events', { token: by.token })).status).toBe(403);
    }
  });
});

describe('who may see it', () => {
  it('shows a viewer of a suite its timeline, without sharing, settings and addresses', async () => {
    const told = await ofSuite(viewer);
    const kinds = new Set(told.map(({ kind }) => kind));
    expect([...kinds]).toEqual(expect.arrayContaining(['run.completed', 'review.approved']));
    for (const kind of ['access.granted', 'suite.changed', 'site_access.changed', 'sign_in.succeeded']) {
      expect(kinds).not.toContain(kind);
    }
    expect(told.every(({ actor }) => actor['address'] === null)).toBe(true);
    expect((await ofSuite(owner)).map(({ kind }) => kind)).toContain('access.granted');
  });

  it('hides a suite and its runs from others', async () => {
    const other = await api.account('somebody');
    for (const query of [`suiteId=${stage.suite.id}`, `runId=${stage.runId}`]) {
      expect((await api.request('GET', `/api/events?${query}`, { token: other.token })).status).toBe(404);
    }
    expect((await api.request('GET', '/api/events')).status).toBe(401);
  });
});

describe('the same list as a file', () => {
  const download = async (query: string, by = owner) =>
    api.request('GET', `/api/events/export?suiteId=${stage.suite.id}&${query}`, { token: by.token });

  it('has the events of the list as JSON lines', async () => {
    for (const [by, query] of [
      [owner, ''],
      [viewer, ''],
      [owner, 'kind=suite.changed'],
      [owner, `actorId=${owner.user.id}`],
    ] as const) {
      const { status, headers, body } = await download(`format=jsonl&${query}`, by);
      expect([status, headers.get('content-type')]).toEqual([200, 'application/jsonl']);
      const lines = String(body).trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line))).toEqual(await ofSuite(by, `&limit=1000&${query}`));
    }
  });

  it('has them as CSV, in which nothing begins a formula', async () => {
    await api.request('PATCH', suitePath(), { token: owner.token, body: { name: '=HYPERLINK("http://evil.test")' } });
    const row = { kind: 'suite.created', actor_kind: 'person', actor_name: '=1+1', suite_id: stage.suite.id };
    await api.ctx.db('events').insert({ ...row, details: JSON.stringify({ name: 'x' }) });
    const { headers, body } = await download('format=csv');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename=events.csv');
    expect(body).toMatch(/^"id","at","kind","text",/);
    expect(body).toContain(`"'=1+1"`);
    expect(String(body).split('\r\n')).toHaveLength((await ofSuite(owner, '&limit=1000')).length + 2);
    expect((await download('to=2001-01-01T00:00:00Z')).body.split('\r\n')).toHaveLength(2);
  });

  it('is hidden from others, and of the installation for administrators only', async () => {
    expect((await download('', await api.account('somebody'))).status).toBe(404);
    for (const [path, by, status] of [
      ['/api/events/export', owner, 403],
      ['/api/events/export?format=jsonl', first, 200],
      ['/api/events/export?format=xml', first, 400],
    ] as const) {
      expect([path, (await api.request('GET', path, { token: by.token })).status]).toEqual([path, status]);
    }
  });

  it('has all events, read a batch at a time', async () => {
    const [{ id }] = await api.ctx.db('test_suites').where({ id: stage.suite.id }).select('id');
    const rows = Array.from({ length: 1201 }, () => ({
      kind: 'pages.found',
      actor_kind: 'clock',
      suite_id: id,
      details: JSON.stringify({ pages: 1, paths: ['/'], tracked: 0, first: false }),
    }));
    await api.ctx.db.batchInsert('events', rows);
    const { body } = await download('format=jsonl&kind=pages.found');
    const ids = String(body)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    expect(new Set(ids).size).toBeGreaterThanOrEqual(1201);
    expect(ids).toEqual(ids.toSorted((one, other) => other - one));
  });
});

it('is read in parts, newest first, and by time', async () => {
  const all = await ofSuite(owner);
  const path = `/api/events?suiteId=${stage.suite.id}&limit=2`;
  const { body, headers } = await api.request('GET', path, { token: owner.token });
  expect(body.map(({ id }: Told) => id)).toEqual(all.slice(0, 2).map(({ id }) => id));
  expect(headers.get('link')).toContain('cursor=');
  expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort((one, other) => other - one));
  expect(await ofSuite(owner, '&to=2001-01-01T00:00:00Z')).toEqual([]);
  expect((await api.request('GET', '/api/events?kind=nothing', { token: first.token })).status).toBe(400);
});
