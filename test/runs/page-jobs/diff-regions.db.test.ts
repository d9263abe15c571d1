import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Capture } from '../../../src/capture/browser.ts';
import type { Viewer } from '../../../src/auth/viewer.ts';
import type { WorkerContext } from '../../../src/context.ts';
import { capturePage } from '../../../src/runs/page-jobs/capture-page.ts';
import { comparePage } from '../../../src/runs/page-jobs/compare-page.ts';
import { carryOverApprovals } from '../../../src/review/approval/carry-over.ts';
import { finishRun } from '../../../src/runs/finish-run.ts';
import type { PageResult } from '../../../src/runs/results/result.ts';
import { createDiskStorage } from '../../../src/storage/disk-storage.ts';
import { sha256Of } from '../../../src/storage/object-name.ts';
import type { SuiteForViewer } from '../../../src/suites/suite.ts';
import { readRun, rerunErrors, startRun } from '../../support/requests.ts';
import { blankImage, setPixel, toPng } from '../../compare/random-images.ts';
import type { TestDatabase } from '../../support/database.ts';
import { createTestDatabase } from '../../support/database.ts';
import { newSuite, newViewer, worldOn } from '../../support/world.ts';
import type { World } from '../../support/world.ts';

let database: TestDatabase;
let directory: string;
let world: World;
beforeAll(async () => {
  database = await createTestDatabase();
  directory = await mkdtemp(path.join(tmpdir(), 'pixelgate-regions-'));
  const bare = worldOn(database.db);
  world = { ...bare, ctx: { ...bare.ctx, storage: createDiskStorage(directory) } };
});
afterAll(async () => {
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

/** White, 60 by 200 px, with a black pixel in each of the rows. */
function marked(rows: number[]): Buffer {
  const screenshot = blankImage(60, 200);
  for (const row of rows) setPixel(screenshot, 30, row, [0, 0, 0, 255]);
  return toPng(screenshot);
}

const region = (row: number) => ({ x: 30, y: row, width: 1, height: 1 });

/** The worker's context, with a browser that takes this screenshot. */
function seeing(png: Buffer): WorkerContext {
  const capture: Capture = {
    png,
    sha256: sha256Of(png),
    width: 60,
    height: 200,
    duration: 1,
    engine: 'test',
    title: null,
    warnings: [],
    stability: 'AT_ONCE',
    screenshots: 1,
    cut: false,
    atRest: true,
    early: null,
    elements: null,
    unmatched: [],
  };
  return { ...world.ctx, browser: { ...world.ctx.browser, capture: async () => capture } };
}

/** A run of the suite's only page, which looks like this. The test runs the jobs itself. */
async function runOn(viewer: Viewer, suite: SuiteForViewer, png: Buffer): Promise<PageResult> {
  const ctx = seeing(png);
  const { id } = await startRun(ctx, viewer, suite, {});
  await capturePage(ctx, { runId: id, path: '/' }, { signal: new AbortController().signal });
  await comparePage(ctx, { runId: id, path: '/' });
  await finishRun(ctx, { runId: id }, carryOverApprovals);
  const [result] = (await readRun(ctx, viewer, id, 'suite.read')).results;
  if (result === undefined) throw new Error('The run has no result');
  return result;
}

async function onlyPage(failureThreshold = 0): Promise<{ viewer: Viewer; suite: SuiteForViewer }> {
  const viewer = await newViewer(world);
  const viewports = [{ name: 'desktop', width: 60, height: 200 }];
  return { viewer, suite: await newSuite(world, viewer, ['/'], { viewports, failureThreshold }) };
}

describe('a result keeps where its screenshot differs', () => {
  it('as boxes in reading order, when it was compared', async () => {
    const { viewer, suite } = await onlyPage();
    await runOn(viewer, suite, marked([]));
    expect(await runOn(viewer, suite, marked([150, 20]))).toMatchObject({
      status: 'FAIL',
      diffRegions: [region(20), region(150)],
    });
  });

  it('also when so few pixels differ that it passes', async () => {
    const { viewer, suite } = await onlyPage(50);
    await runOn(viewer, suite, marked([]));
    expect(await runOn(viewer, suite, marked([150]))).toMatchObject({ status: 'PASS', diffRegions: [region(150)] });
  });

  it('as none at all, when it is the same', async () => {
    const { viewer, suite } = await onlyPage();
    await runOn(viewer, suite, marked([7]));
    expect(await runOn(viewer, suite, marked([7]))).toMatchObject({ status: 'PASS', diffRegions: [] });
  });

  it('not, when it is new and was compared with nothing', async () => {
    const { viewer, suite } = await onlyPage();
    expect(await runOn(viewer, suite, marked([7]))).toMatchObject({ isNew: true, diffRegions: null });
  });

  it('no longer, when it is taken again', async () => {
    const { viewer, suite } = await onlyPage();
    await runOn(viewer, suite, marked([]));
    const { id, testRunId, url } = await runOn(viewer, suite, marked([20]));
    await world.db('page_results').where({ id }).update({ status: 'ERROR' });
    await rerunErrors(world.ctx, viewer, testRunId, { url });
    const [result] = (await readRun(world.ctx, viewer, testRunId, 'suite.read')).results;
    expect(result).toMatchObject({ status: 'PENDING', diffScore: null, diffRegions: null });
  });
});
