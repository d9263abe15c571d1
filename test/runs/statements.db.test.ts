import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { toExchange } from '../../src/capture/manifest/exchange.ts';
import type { WorkerContext } from '../../src/context.ts';
import { siteBase } from '../../src/net/site-base.ts';
import { carryOverStack } from '../../src/pull-requests/carry-over-stack.ts';
import type { JobRun } from '../../src/queue/job.ts';
import { finishRun } from '../../src/runs/end-run.ts';
import { captureSuite } from '../../src/runs/page-jobs/work-on-pages.ts';
import type { StartRun } from '../../src/runs/start-run.ts';
import type { SuiteConfigInput } from '../../src/suites/config/suite-config.ts';
import { recordStatements } from '../support/count-statements.ts';
import { startRun } from '../support/requests.ts';
import { newSuite, newViewer, SITE } from '../support/world.ts';
import { marked, seeing, worldWithStorage } from './one-page.ts';

/** Statements of a result, of which its page has two, with all that its slot does. */
const MOST_UNCHANGED = 8;
const MOST_NEW_OR_CHANGED = 15;
/** Proofs settle many at once. */
const MOST_PROVEN = 2;

const PAGES = Array.from({ length: 10 }, (_, page) => `/${page}`);
const VIEWPORTS = [
  { name: 'desktop', width: 100, height: 200 },
  { name: 'mobile', width: 50, height: 100 },
];
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const preview: StartRun = { targetBaseUrl: 'http://preview.test' };
/** How often a capture asks whether its run goes on. */
const STEPS = 8;

let world: Awaited<ReturnType<typeof worldWithStorage>>;
let site: Awaited<ReturnType<typeof makeSuite>>;

async function makeSuite(config: SuiteConfigInput) {
  const viewer = await newViewer(world);
  return { viewer, suite: await newSuite(world, viewer, PAGES, { viewports: VIEWPORTS, ...config }) };
}

beforeAll(async () => {
  world = await worldWithStorage();
});
beforeEach(async () => {
  site = await makeSuite({});
});
afterAll(() => world.end());

/** A worker whose browser shows this, of a page that the site serves as ever, and the preview like this. */
function workerOf(png: Buffer, ofPreview: string): WorkerContext {
  const { browser } = seeing(world, png, {}, true);
  const capture: typeof browser.capture = async (request, isOver) => {
    for (let step = 0; step < STEPS; step += 1) await isOver();
    const base = siteBase(new URL(request.url).origin);
    const served = { url: request.url, kind: 'document', asked: {}, status: 200, answered: HTML };
    const exchanges = [toExchange({ base, site: siteBase(SITE) }, { ...served, body: Buffer.from('served') })];
    const recorded = { exchanges, literal: false, obstacles: [] };
    return { ...(await browser.capture(request, isOver)), recorded };
  };
  const fetch: WorkerContext['network']['fetch'] = async ({ url }) => ({
    status: 200,
    headers: HTML,
    body: Buffer.from(url.startsWith(SITE) ? 'served' : ofPreview),
    truncated: false,
  });
  return { ...world.ctx, browser: { ...browser, capture }, network: { ...world.ctx.network, fetch } };
}

const job: JobRun = {
  id: '1',
  attempt: 1,
  signal: new AbortController().signal,
  part: async (_of, work) => work(new AbortController().signal),
  takePlace: () => null,
  isClosing: () => false,
};

/** The statements of a run for each of its results, from its start to the last one that settles. */
async function count(png: Buffer, start: StartRun, ofPreview = 'changed'): Promise<number> {
  const { id } = await startRun(world.ctx, site.viewer, site.suite, start);
  const ctx = workerOf(png, ofPreview);
  const slot = { suiteId: site.suite.id, slot: 0 };
  const statements = await recordStatements(async () => captureSuite(ctx, slot, job));
  const settled = await world.db('page_results').where({ test_run_id: id }).whereNot({ status: 'PENDING' });
  expect(settled).toHaveLength(PAGES.length * VIEWPORTS.length);
  await finishRun(ctx, { runId: id }, carryOverStack);
  return statements.length / settled.length;
}

it('takes a bounded number of statements for a result', async () => {
  expect(await count(marked([]), {})).toBeLessThanOrEqual(MOST_NEW_OR_CHANGED);
  expect(await count(marked([]), {})).toBeLessThanOrEqual(MOST_UNCHANGED);
  expect(await count(marked([]), preview)).toBeLessThanOrEqual(MOST_UNCHANGED);
  expect(await count(marked([20]), preview)).toBeLessThanOrEqual(MOST_NEW_OR_CHANGED);
});

it('takes hardly any for a result that is proven unchanged', async () => {
  site = await makeSuite({ reuseUnchanged: 'on' });
  await count(marked([]), {});
  expect(await count(marked([20]), preview, 'served')).toBeLessThanOrEqual(MOST_PROVEN);
});
