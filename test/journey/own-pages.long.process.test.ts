import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { restClient, runIsOver, type RestClient } from '../support/rest-client.ts';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.ts';
import { html, startSmallSite, type SmallSite } from '../support/small-site.ts';
import { SOON_AT_REST } from '../support/soon-at-rest.ts';

const PASSWORD = 'correct horse';

let database: TestDatabase;
let dataDir: string;
let service: ServiceProcess;
let site: SmallSite;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'pixelgate-own-pages-'));
  site = await startSmallSite(new Map([['/about', html('About us', '<h1>About</h1>')]]));
  service = await startServiceProcess({ DATABASE_URL: database.url, DATA_DIR: dataDir });
});
afterAll(async () => {
  await service.end();
  await site.stop();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

describe('the product under its own eyes', () => {
  const oneSize = {
    viewports: [{ name: 'desktop', width: 1280, height: 800 }],
    recrawlInterval: 'off',
    ...SOON_AT_REST,
  };

  async function account(name: string): Promise<RestClient> {
    const api = restClient(service.url);
    const body = { email: `${name}@example.com`, password: PASSWORD, name };
    api.token = (await api.call('POST', '/auth/register', body, 201)).token;
    return api;
  }

  /** What a run finds, a line for each result. */
  async function runOf(api: RestClient, suiteId: string): Promise<string[]> {
    const { testRunId } = await api.call('POST', `/test-suites/${suiteId}/run`, undefined, 202);
    const { pageResults } = await api.until(`/test-runs/${testRunId}`, runIsOver);
    return pageResults.map((result: any) => `${result.path} ${result.status} ${result.diffScore}`);
  }

  /** Those that looked different in some screenshots. */
  async function unsteadyOf(api: RestClient, suiteId: string): Promise<string[]> {
    const { testRuns } = await api.call('GET', `/test-runs?testSuiteId=${suiteId}`);
    const runs = await Promise.all(testRuns.map(async ({ id }: any) => api.call('GET', `/test-runs/${id}`)));
    const results = runs.flatMap(({ pageResults }) => pageResults);
    return results.filter(({ stability }) => stability !== 'AT_ONCE').map(({ path }) => path);
  }

  it('finds its own pages unchanged on a telephone', async () => {
    const api = await account('self');
    const config = { ...oneSize, viewports: [{ name: 'mobile', width: 375, height: 812 }] };
    const suite = await api.call('POST', '/test-suites', { name: 'Ourselves', baseUrl: service.url, config }, 201);
    for (const address of ['/sign-in', '/register', '/forgot-password', '/reset-password?token=x']) {
      await api.call('POST', `/test-suites/${suite.id}/pages`, { path: address }, 201);
    }
    const first = await runOf(api, suite.id);
    expect(first).toHaveLength(4);
    expect(await runOf(api, suite.id)).toEqual(first.map((line) => line.replace(/PASS null$/, 'PASS 0')));
    expect(await unsteadyOf(api, suite.id)).toEqual([]);
  });

  it('finds its pages behind the sign-in by a crawl, unchanged, and then what was changed', async () => {
    const [reader, watcher] = [await account('reader'), await account('watcher')];
    const quiet = await reader.call(
      'POST',
      '/test-suites',
      { name: 'Quiet', baseUrl: site.origin, config: oneSize },
      201,
    );
    await reader.call('POST', `/test-suites/${quiet.id}/pages`, { path: '/about' }, 201);
    await runOf(reader, quiet.id);

    const config = {
      ...oneSize,
      maxDepth: 1,
      autoTrack: { paths: ['/', '/runs', '/runs/*', '/suites', '/suites/new', '/single-pages'], limit: 50 },
      // How long ago something was is another text a minute later.
      rules: [{ paths: ['**'], remove: ['time[data-age]'] }],
    };
    const { id } = await watcher.call('POST', '/test-suites', { name: 'Signed in', baseUrl: service.url, config }, 201);
    const fields = [
      { selector: '#field-email', value: 'reader@example.com' },
      { selector: '#field-password', value: PASSWORD },
    ];
    const login = { path: '/sign-in', fields, success: { selector: '[aria-label^="Account menu"]' } };
    await watcher.call('PUT', `/test-suites/${id}/site-access`, { login });
    await watcher.call('POST', `/test-suites/${id}/crawl`, undefined, 202);
    const isOver = ({ testRuns }: any) => testRuns.length === 1 && testRuns.every(runIsOver);
    await watcher.until(`/test-runs?testSuiteId=${id}`, isOver);

    const unchanged = await runOf(watcher, id);
    expect(unchanged.length).toBeGreaterThan(5);
    expect(unchanged.filter((line) => !line.endsWith(' PASS 0'))).toEqual([]);

    await reader.call('PATCH', `/test-suites/${quiet.id}`, { name: 'Loud' });
    const headers = { authorization: `Bearer ${reader.token}`, accept: 'text/html' };
    const showsName = async (address: string) =>
      (await (await fetch(service.url + address, { headers })).text()).includes('Loud');
    const outcomes = (await runOf(watcher, id)).map((line) => line.split(' ').slice(0, 2));
    expect(outcomes).toContainEqual(['/', 'FAIL']);
    expect(outcomes).toContainEqual(['/suites/new', 'PASS']);
    for (const [address = '', status] of outcomes) {
      expect([address, status]).toEqual([address, (await showsName(address)) ? 'FAIL' : 'PASS']);
    }
  });
});
