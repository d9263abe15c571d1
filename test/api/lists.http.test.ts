import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROUTES } from '../../src/api/route-list.ts';
import { PATH_MAX_LENGTH } from '../../src/pages/page-identity.ts';
import { replaceChanges } from '../../src/runs/results/change-store.ts';
import { startTestApi, type Account, type Answer, type TestApi } from '../support/api-client.ts';
import { promoteThroughApi } from '../support/requests.ts';
import { finishedRun, newSuite } from '../support/world.ts';
import { share, worldOf } from './fixture.ts';

const LISTS = ROUTES.filter(({ isList }) => isList === true);

let api: TestApi;
let owner: Account;
/** The address of each list with at least three items, by its operation. */
let addresses: Record<string, string>;

/** A suite with three of everything. */
/** A change that looks different on each page. */
const VARIED = 'd'.repeat(32);

beforeAll(async () => {
  api = await startTestApi();
  owner = await api.account('owner');
  const world = worldOf(api);
  const suite = await newSuite(world, owner.user, ['/a', '/b', '/c']);
  await finishedRun(world, owner.user, suite, () => 'a');
  const second = await finishedRun(world, owner.user, suite, () => 'b');
  const { run, results } = await finishedRun(world, owner.user, suite, () => 'c');
  for (const [at, result] of results.entries()) {
    const change = {
      key: String(at).repeat(32),
      kind: 'TEXT' as const,
      element: 'p',
      summary: 'x',
      before: null,
      after: null,
    };
    const box = { x: 0, y: 0, width: 1, height: 1 };
    const found = { ...change, baselineBox: box, currentBox: box, canvasBox: box, shownBox: box };
    const stored = { ...found, picture: change.key, faint: false, drift: false, informs: false };
    const heard = { ...stored, kind: 'ACCESSIBILITY' as const, informs: true };
    const told = ['1', '2', '3'].map((digit) => ({ ...heard, key: digit.repeat(32) }));
    await replaceChanges(api.ctx.db, result, [stored, { ...stored, key: VARIED }, ...told]);
  }
  for (let count = 0; count < 2; count += 1) {
    const other = await newSuite(world, owner.user, []);
    await newSuite(world, owner.user, []);
    await share(api, suite, owner, await api.account(), 'VIEWER');
    await api.ctx.db('test_suites').where({ id: other.id }).update({ kind: 'MANUAL' });
  }
  await share(api, suite, owner, await api.account(), 'VIEWER');
  const shared = await newSuite(world, (await api.account('other')).user, []);
  await api.ctx.db('test_suite_grants').insert({ test_suite_id: shared.id, principal_id: owner.user.id });
  await api.ctx.db('test_suites').where({ id: shared.id }).update({ kind: 'MANUAL' });
  for (const { id } of [...second.results, ...results])
    await promoteThroughApi(api.ctx, owner.user, { pageResultId: id });
  for (const { id: resultId } of results) {
    const sent = { token: owner.token, body: { resultId } };
    await api.request('POST', `/api/test-suites/${suite.id}/ignored-changes`, sent);
  }
  for (const name of ['a', 'b', 'c']) {
    await api.request('POST', '/api/tokens', { token: owner.token, body: { name } });
    await api.request('POST', `/api/test-suites/${suite.id}/invitations`, { token: owner.token, body: {} });
    const body = { name, scopes: ['read'] };
    await api.request('POST', `/api/test-suites/${suite.id}/tokens`, { token: owner.token, body });
  }
  for (const body of ['one', 'two', 'three']) {
    await api.request('POST', `/api/test-runs/${run.id}/comments`, { token: owner.token, body: { body } });
    const verdict = { decision: 'request_changes', note: body };
    await api.request('POST', `/api/test-runs/${run.id}/verdicts`, { token: owner.token, body: verdict });
  }
  const page = await api.ctx.db('site_pages').where({ test_suite_id: suite.id, path: '/a' }).first('id');
  addresses = {
    listTestSuites: '/api/test-suites',
    listManualRuns: '/api/manual-runs',
    listPages: `/api/test-suites/${suite.id}/pages`,
    readPageHistory: `/api/test-suites/${suite.id}/pages/${page?.id}/history`,
    readAccess: `/api/test-suites/${suite.id}/access`,
    listIgnoredChanges: `/api/test-suites/${suite.id}/ignored-changes`,
    listTestRuns: '/api/test-runs',
    listTestRunLogs: `/api/test-runs/${run.id}/logs`,
    listTestRunResults: `/api/test-runs/${run.id}/results`,
    listVerdicts: `/api/test-runs/${run.id}/verdicts`,
    listAccounts: '/api/admin/accounts',
    listEvents: `/api/events?runId=${run.id}`,
    summarizeTestRun: `/api/test-runs/${run.id}/summary`,
    listComments: `/api/test-runs/${run.id}/comments`,
    listAccessibilityChanges: `/api/test-runs/${run.id}/accessibility`,
    listChanges: `/api/test-runs/${run.id}/changes`,
    listVariants: `/api/test-runs/${run.id}/changes/${VARIED}/variants`,
    listBaselines: `/api/baselines?testSuiteId=${suite.id}`,
    listBaselineVersions: `/api/baseline-versions?suiteId=${suite.id}`,
    listCodeHostRepos: '/api/code-host/repos',
    listCodeHostInstallations: '/api/code-host/installations',
    listTokens: '/api/tokens',
    listInvitations: `/api/test-suites/${suite.id}/invitations`,
    listSuiteTokens: `/api/test-suites/${suite.id}/tokens`,
  };
});
afterAll(() => api.stop());

const get = async (path: string): Promise<Answer> => api.request('GET', path, { token: owner.token });
const withQuery = (address: string, query: string) => `${address}${address.includes('?') ? '&' : '?'}${query}`;

/** The items of an answer: the body, or the list or the groups in it. */
function itemsOf({ body }: Answer): unknown[] {
  const list = Array.isArray(body)
    ? body
    : (body.testRuns ?? body.pages ?? body.events ?? body.changes ?? body.grants ?? body.logs ?? body.groups);
  return Array.isArray(list) ? list : Object.values(list).flat();
}

function nextOf({ headers }: Answer): string | null {
  const [, next] = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '') ?? [];
  return next === undefined ? null : new URL(next).pathname + new URL(next).search;
}

describe('every list', () => {
  it('is known here', () => {
    expect(LISTS.map(({ operationId }) => operationId).toSorted()).toEqual(Object.keys(addresses).toSorted());
  });

  const filled = LISTS.map(({ operationId }) => operationId).filter((name) => !name.startsWith('listCodeHost'));

  it.each(filled)('of %s comes in parts that make the whole, each with the address of the next one', async (name) => {
    const address = addresses[name] ?? '';
    const whole = await get(address);
    const items: unknown[] = [];
    for (let next: string | null = withQuery(address, 'limit=1'); next !== null;) {
      const part: Answer = await get(next);
      expect([part.status, itemsOf(part).length]).toEqual([200, 1]);
      items.push(...itemsOf(part));
      next = nextOf(part);
    }
    expect(items.length).toBeGreaterThanOrEqual(3);
    expect(items).toEqual(itemsOf(whole));
    expect(nextOf(whole)).toBeNull();
  });

  it.each(LISTS.map(({ operationId }) => operationId))(
    'of %s refuses a limit or a cursor that is none',
    async (name) => {
      const address = addresses[name] ?? '';
      for (const limit of ['0', '1e1', '0x10', '%2010', '-1', '1.5', 'x', '', '1000000', '1&limit=2']) {
        const { status, body } = await get(withQuery(address, `limit=${limit}`));
        expect([limit, status, body.details?.issues?.[0]?.path]).toEqual([limit, 400, 'limit']);
      }
      for (const cursor of ['x', '', '0', 'A'.repeat(40), 'A'.repeat(5000)]) {
        const { status, body } = await get(withQuery(address, `cursor=${cursor}`));
        expect([cursor, status, body.details?.issues?.[0]?.path]).toEqual([cursor, 400, 'cursor']);
      }
    },
  );

  it('names its next part for a client that sends the whole address, as to a proxy', async () => {
    const { hostname, port } = new URL(api.url);
    const whole = `${api.url}/api/test-runs?limit=1`;
    const headers = { authorization: `Bearer ${owner.token}` };
    const sent = request({ hostname, port, path: whole, headers }).end();
    const [response] = await once(sent, 'response');
    response.resume();
    expect([response.statusCode, response.headers.link]).toEqual([
      200,
      (await get('/api/test-runs?limit=1')).headers.get('link'),
    ]);
  });

  it('takes no cursor of another list, or of other parameters, or that was changed', async () => {
    const first = nextOf(await get('/api/test-runs?limit=1')) ?? '';
    const cursor = new URLSearchParams(first.split('?')[1]).get('cursor') ?? '';
    const flipped = `${cursor.slice(0, -3)}${cursor.at(-3) === 'A' ? 'B' : 'A'}${cursor.slice(-2)}`;
    expect((await get(`/api/test-runs?cursor=${cursor}&limit=2`)).status).toBe(200);
    for (const path of [
      `/api/test-suites?cursor=${cursor}`,
      `/api/test-runs?status=FAILED&cursor=${cursor}`,
      `/api/test-runs?cursor=${flipped}`,
      `/api/test-runs?offset=1&cursor=${cursor}`,
    ]) {
      expect([path, (await get(path)).status]).toEqual([path, 400]);
    }
  });

  it('goes on after an item with the longest path', async () => {
    const viewer = await api.account('long');
    const paths = ['a', 'b'].map((first) => `/${first.repeat(PATH_MAX_LENGTH - 1)}`);
    const { id } = await newSuite(worldOf(api), viewer.user, paths);
    const read = async (path: string) => api.request('GET', path, { token: viewer.token });
    const first = await read(`/api/test-suites/${id}/pages?limit=1`);
    const second = await read(nextOf(first) ?? '');
    expect([second.status, second.body.pages?.map(({ path }: { path: string }) => path)]).toEqual([200, [paths[1]]]);
  });

  it('goes on where it was when something was added or deleted meanwhile', async () => {
    const world = worldOf(api);
    const viewer = await api.account('busy');
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.push((await newSuite(world, viewer.user, [])).id);
    const read = async (path: string) => api.request('GET', path, { token: viewer.token });
    const first = await read('/api/test-suites?limit=2');
    await api.request('DELETE', `/api/test-suites/${ids[1]}`, { token: viewer.token });
    ids.push((await newSuite(world, viewer.user, [])).id);
    const second = await read(nextOf(first) ?? '');
    expect([first, second].map(({ body }) => body.map(({ id }: { id: string }) => id))).toEqual([
      ids.slice(0, 2),
      ids.slice(2, 4),
    ]);
  });
});
