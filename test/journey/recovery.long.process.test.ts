import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { expectNoFaults } from '../support/expect-no-faults.ts';
import { restClient, runIsOver, type RestClient } from '../support/rest-client.ts';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.ts';
import { html, startSmallSite, type SmallSite } from '../support/small-site.ts';
import { SOON_AT_REST } from '../support/soon-at-rest.ts';

const PAGES = 12;

let database: TestDatabase;
let dataDir: string;
let site: SmallSite;
let web: ServiceProcess;
let api: RestClient;
const workers: ServiceProcess[] = [];

async function startWorker(): Promise<ServiceProcess> {
  const env = { ROLE: 'worker', DATABASE_URL: database.url, DATA_DIR: dataDir, WORKER_THREADS: '2' };
  const worker = await startServiceProcess(env);
  workers.push(worker);
  return worker;
}

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), 'pixelgate-recovery-'));
  site = await startSmallSite(
    new Map(Array.from({ length: PAGES }, (_, index) => [`/${index}`, html(`Page ${index}`, `<h1>${index}</h1>`)])),
  );
  web = await startServiceProcess({ ROLE: 'web', DATABASE_URL: database.url, DATA_DIR: dataDir });
  api = restClient(web.url);
});
afterAll(async () => {
  await Promise.all([web, ...workers].map((service) => service.end()));
  await site.stop();
  try {
    await expectNoFaults(database.db, dataDir);
  } finally {
    await database.drop();
    await rm(dataDir, { recursive: true });
  }
});

it('completes a run whose worker is killed in the middle, with every result there once', async () => {
  const account = { email: 'ada@example.com', password: 'correct horse' };
  api.token = (await api.call('POST', '/auth/register', account, 201)).token;
  const config = { recrawlInterval: 'off', viewports: [{ name: 'desktop', width: 800, height: 600 }], ...SOON_AT_REST };
  const suite = await api.call('POST', '/test-suites', { name: 'Site', baseUrl: site.origin, config }, 201);
  for (let index = 0; index < PAGES; index += 1) {
    await api.call('POST', `/test-suites/${suite.id}/pages`, { path: `/${index}` }, 201);
  }

  const first = await startWorker();
  const { testRunId } = await api.call('POST', `/test-suites/${suite.id}/run`, undefined, 202);
  const half = ({ pageResults }: any) => pageResults.some((result: any) => result.status === 'PASS');
  const interrupted = await api.until(`/test-runs/${testRunId}`, half);
  await first.end('SIGKILL');
  expect(interrupted.status).toBe('RUNNING');

  await startWorker();
  const run = await api.until(`/test-runs/${testRunId}`, runIsOver);
  expect(run).toMatchObject({
    status: 'COMPLETED',
    metadata: { totalPages: PAGES, passedTests: PAGES, errorTests: 0 },
  });
  expect(run.pageResults).toHaveLength(PAGES);
  const versions = await api.call('GET', `/baseline-versions?suiteId=${suite.id}`);
  expect(versions.map((version: any) => version.version)).toEqual(Array.from({ length: PAGES }, () => 1));
});

it('gives work back at SIGTERM and leaves no browser behind', async () => {
  const [, worker] = workers;
  expect(await worker?.end('SIGTERM')).toBe(0);
});
