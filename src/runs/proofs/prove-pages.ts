import { keepNewest } from '../../async/keep-newest.ts';
import { findBaselinesOfPaths } from '../../baselines/baseline-store.ts';
import { pageKey } from '../../baselines/baseline.ts';
import { CaptureError } from '../../capture/browser/browser.ts';
import type { SiteAnswers } from '../../capture/browser/capture-request.ts';
import type { WorkerContext } from '../../context.ts';
import { inTransaction } from '../../db/database.ts';
import { formatCount } from '../../text/format.ts';
import { openBuild } from '../builds/open-build.ts';
import { endSettling } from '../page-jobs/compare-page.ts';
import type { CapturedRun } from '../page-jobs/open-runs.ts';
import type { PageResult } from '../results/result.ts';
import { lockRun } from '../run-store.ts';
import { addressAtTarget, type Run, type RunTarget } from '../run.ts';
import { isKnownEngine } from './manifest.ts';
import { claimResults, findRecord, noteProofs, settleProven, type Proven } from './proof-store.ts';
import { chooseMode, isSampled, type Mode, type Proof } from './proof.ts';
import { createAskAgain, provePage, type Asking } from './prove-page.ts';
import { findAccess } from './store-manifest.ts';

/** How many results are checked before any of them settles. More if the server is quick. */
const FIRST_BATCH = 20;
const LARGEST_BATCH = 200;
const QUICK_MS = 1000;
/** The maximum time a job spends on proofs before it captures its own page, ms. */
const SLICE_MS = 10_000;

/** A batch that takes longer is given up, ms: the server is slow, or does not answer. The rest is captured. */
const BATCH_MS = 60_000;

/** Runs in which this worker has nothing more to check. */
const asked = new Map<string, true>();
const MOST_ASKED = 50;

const noteAsked = ({ id }: Run) => void keepNewest(asked, id, true, MOST_ASKED);

type Asked = Pick<CapturedRun, 'run' | 'target' | 'visit' | 'pace'>;

/** Facts about all pages of a run. */
type AskingRun = Asking & { mode: Mode; addressOf: (path: string) => string | null };

/** The build that answers in place of a server. Undefined: its files are gone, which the capture will report. */
async function findAnswers(ctx: WorkerContext, run: Run, { base }: RunTarget): Promise<SiteAnswers | null | undefined> {
  if (run.buildId === null) return null;
  return openBuild(ctx, { suiteId: run.testSuiteId, base }, run.buildId).catch((error: unknown) => {
    if (error instanceof CaptureError) return undefined;
    throw error;
  });
}

async function beginAsking(ctx: WorkerContext, { run, target, visit }: Asked): Promise<AskingRun | null> {
  const mode = chooseMode(run, await findRecord(ctx.db, run.testSuiteId));
  if (mode === null) return null;
  const engine = await ctx.browser.engine();
  if (!isKnownEngine(engine)) return null;
  const site = await findAnswers(ctx, run, target);
  if (site === undefined) return null;
  const ask = createAskAgain(ctx, run, { places: { base: target.base, site: target.site }, site, key: run.id });
  const access = await findAccess(run, visit, target.base.origin + target.base.path);
  return { run, mode, ask, inputs: { engine, access }, addressOf: (path) => addressAtTarget(target, path) };
}

async function settleAll(ctx: WorkerContext, { id }: Run, proven: Proven[]): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const run = await lockRun(trx, id);
    if (run?.status !== 'RUNNING') return;
    const settled = await settleProven(trx, id, proven);
    if (settled === 0) return;
    const message = `${formatCount(settled, 'screenshot')} proven unchanged: the site serves what it served when the baselines were captured`;
    await endSettling(trx, ctx.clock, run, settled, () => [
      { type: 'SUCCESS', message, metadata: { proven: settled } },
    ]);
  });
}

async function proveBatch(
  ctx: WorkerContext,
  asking: AskingRun,
  claimed: PageResult[],
  isOver: () => Promise<boolean>,
): Promise<void> {
  const { run, mode } = asking;
  const found = await findBaselinesOfPaths(ctx.db, run.testSuiteId, [...new Set(claimed.map(({ path }) => path))]);
  const baselines = new Map(found.map((baseline) => [pageKey(baseline), baseline]));
  const proven: Proven[] = [];
  for (const result of claimed) {
    if (await isOver()) break;
    const baseline = baselines.get(pageKey(result));
    if (baseline === undefined || asking.addressOf(result.path) !== result.url) continue;
    const requests = await provePage(ctx, asking, result, baseline.manifestFile, isOver);
    if (requests === null) continue;
    const state = mode === 'shadow' ? 'SHADOW' : isSampled(run, result.path) ? 'SAMPLE' : 'USED';
    const proof: Proof = { state, at: ctx.clock.now().toISOString(), requests, version: baseline.currentVersionId };
    proven.push({
      id: result.id,
      proof,
      file: baseline.filePath,
      versionId: baseline.currentVersionId,
      engine: baseline.captureEngine,
    });
  }
  const used = proven.filter(({ proof }) => proof.state === 'USED');
  const seen = proven.filter(({ proof }) => proof.state !== 'USED');
  if (seen.length > 0) await noteProofs(ctx.db, seen);
  if (used.length === 0) return;
  await settleAll(ctx, run, used);
  ctx.measure('captures', { outcome: 'proven' }, used.length);
}

/**
 * Checks whether pages of the run's target are served as when their baselines were captured, and settles those that
 * are. Many are checked at once, this page first, so that a run with few changes ends soon. The others must be
 * captured.
 */
export async function provePages(ctx: WorkerContext, of: Asked, path: string): Promise<void> {
  const { run } = of;
  if (run.runType === 'MANUAL' || asked.has(run.id)) return;
  const end = performance.now() + SLICE_MS;
  const asking = await beginAsking(ctx, of);
  if (asking === null) return noteAsked(run);
  for (let limit = FIRST_BATCH; performance.now() < end;) {
    const began = performance.now();
    const claimed = await claimResults(ctx.db, run, { path, limit, at: ctx.clock.now().toISOString() });
    if (claimed.length === 0) return noteAsked(run);
    const isOver = async () => performance.now() - began > BATCH_MS || of.pace.isOver();
    await proveBatch(ctx, asking, claimed, isOver);
    if (await of.pace.isOver()) return;
    const isQuick = performance.now() - began < QUICK_MS;
    limit = isQuick ? Math.min(2 * limit, LARGEST_BATCH) : Math.max(FIRST_BATCH, Math.floor(limit / 2));
  }
}
