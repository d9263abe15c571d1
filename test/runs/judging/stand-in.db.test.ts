import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CaptureRequest } from '../../../src/capture/browser/capture-request.ts';
import { carryOverStack } from '../../../src/pull-requests/carry-over-stack.ts';
import { finishRun } from '../../../src/runs/end-run.ts';
import { capturePage } from '../../../src/runs/page-jobs/capture-page.ts';
import { comparePage } from '../../../src/runs/page-jobs/compare-page.ts';
import { captureControl } from '../../../src/runs/page-jobs/take-control.ts';
import type { StartRun } from '../../../src/runs/start-run.ts';
import { readRun, startRun } from '../../support/requests.ts';
import { newSuite, newViewer } from '../../support/world.ts';
import { marked, seeing, worldWithStorage } from '../one-page.ts';

const PATHS = ['/', '/a', '/b'];
const JOB = { signal: new AbortController().signal };

let world: Awaited<ReturnType<typeof worldWithStorage>>;
beforeAll(async () => {
  world = await worldWithStorage();
});
afterAll(() => world.end());

/** A suite with a baseline of each page, and what a preview shows if the site shows the same. */
async function openSuite() {
  const viewer = await newViewer(world);
  const suite = await newSuite(world, viewer, PATHS);
  const run = async (rowOf: (page: number) => number, start: StartRun) => {
    const { id: runId } = await startRun(world.ctx, viewer, suite, start);
    const capture = async (request: CaptureRequest) => {
      const { origin, pathname } = new URL(request.url);
      const seen = { served: { document: origin } };
      const png = marked([rowOf(PATHS.indexOf(pathname))]);
      return seeing(world, png, seen, true).browser.capture(request, async () => false);
    };
    const ctx = { ...world.ctx, browser: { ...world.ctx.browser, capture } };
    for (const path of PATHS) {
      await capturePage(ctx, { runId, path }, JOB);
      await comparePage(ctx, { runId, path });
      await captureControl(ctx, { runId, path }, JOB);
      await comparePage(ctx, { runId, path });
    }
    await finishRun(ctx, { runId }, carryOverStack);
    const { run: ended, results } = await readRun(world.ctx, viewer, runId, 'suite.read');
    return { gate: ended.reviewState, causes: results.map(({ cause }) => cause) };
  };
  await run((page) => page + 1, {});
  return async (rowOf: (page: number) => number) => run(rowOf, { targetBaseUrl: 'http://preview.test' });
}

describe('what a preview and the site both show', () => {
  it('is drift if each page shows something else', async () => {
    const preview = await openSuite();
    expect(await preview((page) => page + 20)).toEqual({ gate: 'NOT_REQUIRED', causes: PATHS.map(() => 'DRIFT') });
  });

  it('is no drift if one screen stands in for several pages, as while the site is down', async () => {
    const preview = await openSuite();
    expect(await preview(() => 50)).toEqual({ gate: 'PENDING', causes: PATHS.map(() => 'CHANGE') });
  });
});
