import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { toExchange } from '../../../src/capture/manifest/exchange.ts';
import { siteBase } from '../../../src/net/site-base.ts';
import { carryOverStack } from '../../../src/pull-requests/carry-over-stack.ts';
import { finishRun } from '../../../src/runs/end-run.ts';
import { capturePage } from '../../../src/runs/page-jobs/capture-page.ts';
import { comparePage } from '../../../src/runs/page-jobs/compare-page.ts';
import { readRun, startRun } from '../../support/requests.ts';
import { newSuite, newViewer, SITE, type World } from '../../support/world.ts';
import { marked, seeing, worldWithStorage } from '../one-page.ts';

let world: World & { end: () => Promise<void> };

beforeAll(async () => {
  world = await worldWithStorage();
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(async () => {
  await world.end();
});

const PATHS = ['/a', '/b', '/c', '/d'];
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const JOB = { signal: new AbortController().signal };

/** Everything that the site serves is the same, and a screenshot of it. */
function contextOf(origin: string, path: string) {
  const [base, site] = [siteBase(origin), siteBase(SITE)];
  const served = { url: base.origin + path, kind: 'document', asked: {}, status: 200, answered: HTML };
  const exchanges = [toExchange({ base, site }, { ...served, body: Buffer.from('Text') })];
  return seeing(world, marked([5]), { recorded: { exchanges, literal: false, obstacles: [] } }, true);
}

/** The first job of a preview's run. `onFetch` is told of each page that it asks the preview for. @returns the pages. */
async function ask(onFetch: () => void, job = JOB): Promise<string[]> {
  const viewer = await newViewer(world);
  const viewports = [{ name: 'desktop', width: 100, height: 200 }];
  const suite = await newSuite(world, viewer, PATHS, { viewports, control: false, reuseUnchanged: 'on' });
  const { id: runId } = await startRun(world.ctx, viewer, suite, {});
  for (const path of PATHS) {
    const ctx = contextOf(SITE, path);
    await capturePage(ctx, { runId, path }, JOB);
    await comparePage(ctx, { runId, path });
  }
  await finishRun(world.ctx, { runId }, carryOverStack);
  const preview = await startRun(world.ctx, viewer, suite, { targetBaseUrl: 'http://preview.test' });
  const asked: string[] = [];
  const fetch: typeof world.ctx.network.fetch = async ({ url }) => {
    asked.push(new URL(url).pathname);
    onFetch();
    return { status: 200, headers: HTML, body: Buffer.from('Text'), truncated: false };
  };
  const ctx = contextOf('http://preview.test', '/a');
  await capturePage({ ...ctx, network: { ...ctx.network, fetch } }, { runId: preview.id, path: '/a' }, job);
  const { results } = await readRun(world.ctx, viewer, preview.id, 'suite.read');
  expect(results.filter(({ proof }) => proof?.state !== 'ASKED').length).toBeLessThanOrEqual(asked.length);
  return asked;
}

describe('a preview is asked for no more pages', () => {
  it('than are in the run', async () => {
    expect(await ask(() => undefined)).toEqual(PATHS);
  });

  it('once it has taken a minute', async () => {
    const now = performance.now.bind(performance);
    let slow = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now() + slow);
    const asked = await ask(() => {
      slow += 40_000;
    });
    expect(asked).toEqual(PATHS.slice(0, 2));
  });

  it('once the job has to end', async () => {
    const controller = new AbortController();
    const asked = await ask(() => controller.abort(), { signal: controller.signal });
    expect(asked).toEqual(PATHS.slice(0, 1));
  });
});
