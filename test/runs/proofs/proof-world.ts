import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Viewer } from '../../../src/auth/user.ts';
import { openBrowser } from '../../../src/capture/browser/open-browser.ts';
import { createNetwork } from '../../../src/net/create-network.ts';
import { carryOverStack } from '../../../src/pull-requests/carry-over-stack.ts';
import { finishRun } from '../../../src/runs/end-run.ts';
import { capturePage } from '../../../src/runs/page-jobs/capture-page.ts';
import { comparePage } from '../../../src/runs/page-jobs/compare-page.ts';
import type { PageResult } from '../../../src/runs/results/result.ts';
import type { StartRun } from '../../../src/runs/start-run.ts';
import { createDiskStorage } from '../../../src/storage/disk-storage.ts';
import type { SuiteConfigInput } from '../../../src/suites/config/suite-config.ts';
import { createSuite } from '../../../src/suites/suite-life.ts';
import { LOCAL, silent } from '../../capture/requests.ts';
import { createTestDatabase } from '../../support/database.ts';
import { readRun, startRun } from '../../support/requests.ts';
import { SOON_AT_REST } from '../../support/soon-at-rest.ts';
import { newViewer, worldOn, type OwnSuite, type World } from '../../support/world.ts';

/** A world with a browser, a storage and a network of its own. */
export async function realWorld(): Promise<World & { end: () => Promise<void> }> {
  const database = await createTestDatabase();
  const directory = await mkdtemp(path.join(tmpdir(), 'pixelgate-proofs-'));
  const browser = openBrowser(LOCAL);
  const network = createNetwork({ allowPrivateTargets: true, log: silent });
  const { ctx, db } = worldOn(database.db);
  return {
    db,
    ctx: { ...ctx, browser, network, storage: createDiskStorage(directory) },
    end: async () => {
      await browser.close();
      await network.close();
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export type ProofSuite = { viewer: Viewer; suite: OwnSuite };

const CONFIG: SuiteConfigInput = {
  ...SOON_AT_REST,
  reuseUnchanged: 'on',
  control: false,
  viewports: [{ name: 'desktop', width: 400, height: 300 }],
};

/** A suite of a site with these pages. Its proofs are used from its first run on. */
export async function suiteOf(
  world: World,
  baseUrl: string,
  paths: string[],
  config: SuiteConfigInput = {},
): Promise<ProofSuite> {
  const viewer = await newViewer(world);
  const suite = await createSuite(world.ctx, viewer, { name: 'Site', baseUrl, config: { ...CONFIG, ...config } });
  const pages = paths.map((each) => ({ test_suite_id: suite.id, owner_id: suite.userId, path: each, tracked: true }));
  await world.db('site_pages').insert(pages);
  return { viewer, suite: suite as OwnSuite };
}

const readResults = async ({ ctx }: World, viewer: Viewer, runId: string): Promise<PageResult[]> =>
  (await readRun(ctx, viewer, runId, 'suite.read')).results;

/** Does what the jobs of a run do, one after the other. `isWorkedOn`: other pages are left as they are. */
async function finish(
  world: World,
  viewer: Viewer,
  runId: string,
  isWorkedOn: (path: string) => boolean,
): Promise<PageResult[]> {
  const { ctx } = world;
  const job = { signal: new AbortController().signal };
  for (const page of new Set((await readResults(world, viewer, runId)).map((result) => result.path))) {
    if (!isWorkedOn(page)) continue;
    await capturePage(ctx, { runId, path: page }, job);
    await comparePage(ctx, { runId, path: page });
  }
  await finishRun(ctx, { runId }, carryOverStack);
  return readResults(world, viewer, runId);
}

/** A run from its start to its end. */
export async function run(
  world: World,
  { viewer, suite }: ProofSuite,
  start: StartRun = {},
  isWorkedOn: (path: string) => boolean = () => true,
): Promise<PageResult[]> {
  const { id } = await startRun(world.ctx, viewer, suite, start);
  return finish(world, viewer, id, isWorkedOn);
}

/** Whether a proof stands for the result, or would if it were not in a sample. */
export const isProven = ({ proof }: Pick<PageResult, 'proof'>): boolean =>
  proof !== null && proof.state !== 'ASKED' && proof.state !== 'DROPPED';
