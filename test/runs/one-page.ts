import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Viewer } from '../../src/auth/user.ts';
import { CaptureError, type Capture } from '../../src/capture/browser/browser.ts';
import type { CaptureRequest } from '../../src/capture/browser/capture-request.ts';
import type { WorkerContext } from '../../src/context.ts';
import { encodeHeard } from '../../src/elements/heard/heard-tree.ts';
import { carryOverStack } from '../../src/pull-requests/carry-over-stack.ts';
import { finishRun } from '../../src/runs/end-run.ts';
import { capturePage } from '../../src/runs/page-jobs/capture-page.ts';
import { comparePage } from '../../src/runs/page-jobs/compare-page.ts';
import { captureControl } from '../../src/runs/page-jobs/take-control.ts';
import type { PageResult } from '../../src/runs/results/result.ts';
import type { StartRun } from '../../src/runs/start-run.ts';
import { createDiskStorage } from '../../src/storage/disk-storage.ts';
import type { SuiteConfigInput } from '../../src/suites/config/suite-config.ts';
import { sha256Of } from '../../src/text/sha256.ts';
import { blankImage, setPixel, toPng } from '../compare/random-images.ts';
import { createTestDatabase } from '../support/database.ts';
import { readRun, startRun } from '../support/requests.ts';
import { newSuite, newViewer, SITE, worldOn, type OwnSuite, type World } from '../support/world.ts';

/** A world with a database and a storage of its own. */
export async function worldWithStorage(): Promise<World & { url: string; end: () => Promise<void> }> {
  const database = await createTestDatabase();
  const directory = await mkdtemp(path.join(tmpdir(), 'pixelgate-judged-'));
  const { ctx, db } = worldOn(database.db);
  return {
    db,
    url: database.url,
    ctx: { ...ctx, storage: createDiskStorage(directory) },
    end: async () => {
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** White, 60 by 200 px, with a black pixel in each of the rows. */
export function marked(rows: number[]): Buffer {
  const screenshot = blankImage(60, 200);
  for (const row of rows) setPixel(screenshot, 30, row, [0, 0, 0, 255]);
  return toPng(screenshot);
}

/** What assistive technology is told of a page with a button. */
export async function hearingButton(name: string): Promise<Buffer> {
  const part = { role: 'button', name, states: {}, children: [], isLeftOut: false };
  return encodeHeard({ loads: [{ ...part, role: 'RootWebArea', name: '', children: [part] }] });
}

type Seen = Partial<Omit<Capture, 'png' | 'sha256'>>;

/**
 * What is seen beside the page: the suite's own site, of which no control screenshot can be taken without, and other
 * things of that capture. `oneServer`: nothing tells it from the preview.
 */
type Site = { site?: Buffer; ofSite?: Seen; oneServer?: boolean };

/** The worker's context, with a browser that takes this screenshot. */
export function seeing(
  world: World,
  png: Buffer,
  { site, ofSite, oneServer = false, ...seen }: Seen & Site,
  isOwn: boolean,
): WorkerContext {
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
    alsoSeen: [],
    served: { document: 'of the preview' },
    cut: false,
    atRest: true,
    asBefore: null,
    way: { clock: 'running', timeout: 5000, late: [] },
    elements: null,
    heard: null,
    unmatched: [],
    landing: null,
    ...seen,
  };
  const captureAt = async ({ url }: CaptureRequest): Promise<Capture> => {
    if (!url.startsWith(SITE) || isOwn) return capture;
    if (site === undefined) throw new CaptureError('The page answered 502 Bad Gateway');
    const served = oneServer ? capture.served : { document: 'of the site' };
    return { ...capture, served, ...ofSite, png: site, sha256: sha256Of(site) };
  };
  return { ...world.ctx, browser: { ...world.ctx.browser, capture: captureAt } };
}

/** A run of the suite's only page, which looks like this. The jobs run here, one after the other. */
export async function runOn(
  world: World,
  { viewer, suite }: { viewer: Viewer; suite: OwnSuite },
  png: Buffer,
  { start = {}, ...seen }: Seen & Site & { start?: StartRun } = {},
): Promise<PageResult> {
  const { id } = await startRun(world.ctx, viewer, suite, start);
  return finishOn(world, viewer, id, png, seen);
}

/** The same with a run that has been started. */
export async function finishOn(
  world: World,
  viewer: Viewer,
  runId: string,
  png: Buffer,
  seen: Seen & Site = {},
): Promise<PageResult> {
  const { run } = await readRun(world.ctx, viewer, runId, 'suite.read');
  const ctx = seeing(world, png, seen, run.runType === 'MANUAL');
  const page = { runId, path: '/' };
  const job = { signal: new AbortController().signal };
  await capturePage(ctx, page, job);
  await comparePage(ctx, page);
  await captureControl(ctx, page, job);
  await comparePage(ctx, page);
  await finishRun(ctx, { runId }, carryOverStack);
  return onlyResult(world, viewer, runId);
}

export async function onlyResult({ ctx }: World, viewer: Viewer, runId: string): Promise<PageResult> {
  const [result] = (await readRun(ctx, viewer, runId, 'suite.read')).results;
  if (result === undefined) throw new Error('The run has no result');
  return result;
}

/** A suite of one page at one viewport. */
export async function onlyPage(
  world: World,
  config: SuiteConfigInput = {},
): Promise<{ viewer: Viewer; suite: OwnSuite }> {
  const viewer = await newViewer(world);
  const viewports = [{ name: 'desktop', width: 100, height: 200 }];
  return { viewer, suite: await newSuite(world, viewer, ['/'], { viewports, ...config }) };
}
