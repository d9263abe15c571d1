import { Readable } from 'node:stream';
import type { Knex } from 'knex';
import { READ_HERE } from '../../src/archives/read-apart.ts';
import { register } from '../../src/auth/register.ts';
import type { Viewer } from '../../src/auth/user.ts';
import { CaptureError } from '../../src/capture/browser/browser.ts';
import { compareImages } from '../../src/compare/compare-images.ts';
import { readConfig } from '../../src/config.ts';
import type { WorkerContext } from '../../src/context.ts';
import { createLogger } from '../../src/logger.ts';
import { PNG_END } from '../../src/png/codec.ts';
import { carryOverApprovals } from '../../src/review/approval/carry-over.ts';
import { finishRun } from '../../src/runs/end-run.ts';
import { settleResult, type Settlement } from '../../src/runs/page-jobs/compare-page.ts';
import type { StartRun } from '../../src/runs/start-run.ts';
import type { SuiteConfigInput } from '../../src/suites/config/suite-config.ts';
import { createSuite } from '../../src/suites/suite-life.ts';
import type { SuiteFor, SuiteForViewer } from '../../src/suites/suite.ts';
import { readRun, startRun, type RunDetail } from './requests.ts';

/** Where suites are. Nothing answers there. */
export const SITE = 'http://site.test';

export type World = { ctx: WorkerContext; db: Knex };

/** A context with a real database, for use cases without browser or storage. Using either of those is an error. */
export function worldOn(db: Knex): World {
  const absent = () => {
    throw new Error('This test has no browser and no storage');
  };
  const ctx: WorkerContext = {
    config: { ...readConfig({}), jwtSecret: 'a secret of thirty-two bytes, or more' },
    db,
    storage: {
      put: absent,
      get: absent,
      stat: absent,
      stream: absent,
      list: absent,
      removeAll: absent,
      removeOlder: absent,
      space: absent,
      check: absent,
    },
    network: {
      fetch: absent,
      assertAllowed: async () => {},
      proxyUrl: async () => null,
      openProxy: absent,
      whyUnreachable: async () => null,
      addresses: async () => [],
      close: async () => {},
    },
    mailer: { configured: false, send: absent },
    browser: { capture: absent, renderHtml: absent, signIn: absent, engine: async () => 'test', close: async () => {} },
    log: createLogger('silent'),
    clock: { now: () => new Date() },
    compareImages,
    archives: READ_HERE,
    tokens: new Map(),
    issuerKeys: new Map(),
    discovered: new Map(),
    measure: () => {},
    siteSessions: new Map(),
    codeHost: { readMergeBase: async () => null },
  };
  return { ctx, db };
}

/** The same, with a storage that has lost nothing, so that each image has its end, and is asked for nothing else. */
export function storedWorldOn(db: Knex): World {
  const { ctx } = worldOn(db);
  const stat = async () => ({ size: PNG_END.length });
  const stream = async () => Readable.from([PNG_END]);
  return { ctx: { ...ctx, storage: { ...ctx.storage, stat, stream } }, db };
}

/** The usual one takes a quarter of a second, and many tests begin with an account. */
const FAST_BCRYPT = 4;

let accounts = 0;

export async function newViewer({ ctx }: World): Promise<Viewer> {
  accounts += 1;
  const email = `person${accounts}@example.com`;
  const person = { email, password: 'correct horse', name: `Person ${accounts}` };
  const { user } = await register(ctx, person, FAST_BCRYPT);
  return user;
}

/** A suite whose owner is authorized for everything. */
export type OwnSuite = SuiteFor<never>;

/** A suite with tracked pages at the given paths. */
export async function newSuite(
  { ctx, db }: World,
  viewer: Viewer,
  paths: string[],
  config: SuiteConfigInput = { viewports: [{ name: 'desktop', width: 800, height: 600 }] },
): Promise<OwnSuite> {
  const suite = await createSuite(ctx, viewer, { name: 'Site', baseUrl: SITE, config });
  if (paths.length > 0) {
    await db('site_pages').insert(
      paths.map((path) => ({ test_suite_id: suite.id, owner_id: suite.userId, path, tracked: true })),
    );
  }
  return suite as OwnSuite;
}

export const screenshot = (suite: { id: string }, name: string) =>
  `suites/${suite.id}/${name.repeat(64).slice(0, 64)}.png`;

/** The settlement of a screenshot that was compared with the current baseline. */
async function settlementFor(
  { db }: World,
  suite: SuiteForViewer,
  result: { path: string; viewport: string },
  file: string,
  diffScore: number,
): Promise<Settlement> {
  const baseline = await db('baselines')
    .where({ test_suite_id: suite.id, path: result.path, viewport: result.viewport })
    .first<{ filePath: string; currentVersionId: string } | null>('file_path', 'current_version_id');
  if (baseline === null) return { status: 'PASS', isNew: true, currentFile: file };
  return {
    status: diffScore > 0 ? 'FAIL' : 'PASS',
    isNew: false,
    currentFile: file,
    baselineFile: baseline.filePath,
    baselineVersionId: baseline.currentVersionId,
    diffScore,
  };
}

/** Starts a run and settles every result. `chooseScreenshot` names the screenshot, or throws for an ERROR. */
export async function finishedRun(
  world: World,
  viewer: Viewer,
  suite: SuiteForViewer,
  chooseScreenshot: (path: string) => string,
  input: StartRun = {},
): Promise<RunDetail> {
  const { ctx, db } = world;
  const { id } = await startRun(ctx, viewer, suite, input);
  await db('test_runs').where({ id }).update({ status: 'RUNNING' });
  const { results } = await readRun(ctx, viewer, id, 'suite.read');
  for (const result of results) {
    await settleResult(ctx, result, await settle(world, suite, result, chooseScreenshot));
  }
  await finishRun(ctx, { runId: id }, carryOverApprovals);
  return readRun(ctx, viewer, id, 'suite.read');
}

async function settle(
  world: World,
  suite: SuiteForViewer,
  result: { path: string; viewport: string },
  chooseScreenshot: (path: string) => string,
): Promise<Settlement> {
  try {
    const file = screenshot(suite, chooseScreenshot(result.path));
    const settlement = await settlementFor(world, suite, result, file, 2.5);
    return settlement.baselineFile === file ? { ...settlement, status: 'PASS', diffScore: 0 } : settlement;
  } catch (error) {
    const errorCode = error instanceof CaptureError ? error.code : null;
    return { status: 'ERROR', error: String(error), errorCode };
  }
}
