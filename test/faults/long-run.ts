import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Knex } from 'knex';
import { restClient, runIsOver, type RestClient } from '../support/rest-client.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { html, startSmallSite, type SmallSite } from '../support/small-site.ts';
import { SOON_AT_REST } from '../support/soon-at-rest.ts';

/** Milliseconds of an outage. What a service must outlast is ten minutes. */
export const OUTAGE_MS = Number(process.env['OUTAGE_SECONDS'] ?? 600) * 1000;

const PATHS = ['/0', '/1', '/2', '/3'];

/** A suite over a site whose pages wait in the middle of a run. */
export type LongRuns = {
  site: SmallSite;
  suiteId: string;
  api: RestClient;
  /** Starts a run in which every page changes. @returns it once a page is being loaded, with the way to let that go on. */
  start(heading: string): Promise<{ runId: string; release: () => void }>;
  /** Expects the run to end as if nothing had happened: each page once, and none an error. @returns the run */
  expectUntouched(runId: string): Promise<any>;
};

export async function setUpLongRuns(url: string): Promise<LongRuns> {
  const site = await startSmallSite(new Map());
  const api = restClient(url);
  api.token = (await api.call('POST', '/auth/register', { email: 'ada@example.com', password: 'correct horse' })).token;
  const config = { recrawlInterval: 'off', viewports: [{ name: 'desktop', width: 800, height: 600 }], ...SOON_AT_REST };
  const { id: suiteId } = await api.call('POST', '/test-suites', { name: 'Site', baseUrl: site.origin, config }, 201);
  for (const path of PATHS) await api.call('POST', `/test-suites/${suiteId}/pages`, { path }, 201);
  return {
    site,
    suiteId,
    api,
    async start(heading) {
      let release = (): void => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      const asked = new Promise<void>((resolve) => {
        for (const path of PATHS) {
          site.pages.set(path, (response) => {
            resolve();
            const text = html(path, `<h1>${heading}</h1>`);
            void held.then(() => response.writeHead(200, { 'content-type': 'text/html' }).end(text));
          });
        }
      });
      const { testRunId } = await api.call('POST', `/test-suites/${suiteId}/run`, undefined, 202);
      await asked;
      return { runId: testRunId, release };
    },
    async expectUntouched(runId) {
      const run = await api.until(`/test-runs/${runId}`, runIsOver);
      expect(run).toMatchObject({ status: 'COMPLETED', metadata: { totalPages: PATHS.length, errorTests: 0 } });
      expect(run.pageResults.map(({ path }: any) => path).toSorted()).toEqual(PATHS);
      expect(run.pageResults.map(({ status }: any) => status)).not.toContain('ERROR');
      expect(run.createdAt <= run.startedAt && run.startedAt <= run.endedAt).toBe(true);
      return run;
    },
  };
}

export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await sleep(50);
}

/** Whether the service has logged these words since its log had so many lines. */
export const hasSaid = ({ lines }: ServiceProcess, words: string, from: number) =>
  lines.slice(from).some((line) => line.includes(words));

/** How often the work on a page failed, of all pages the most. */
export async function mostAttempts(db: Knex): Promise<number> {
  const [worst] = await db('page_results').max<{ attempts: number }[]>('attempts as attempts');
  return worst?.attempts ?? 0;
}
