import type { Baseline } from '../../baselines/baseline.ts';
import { confirmMaking } from '../../baselines/read-baselines.ts';
import type { Capture } from '../../capture/browser/browser.ts';
import { sameEngine } from '../../capture/browser/engine-parts.ts';
import type { WorkerContext } from '../../context.ts';
import { imageName, sha256InName, suitePrefix } from '../../storage/object-name.ts';
import { settingsForPage } from '../../suites/config/page-rule.ts';
import { isSuite } from '../../suites/read-suite.ts';
import { formatNumber } from '../../text/format.ts';
import { namePlace } from '../../text/readable-path.ts';
import { isAsBaseline } from '../judging/compare-by-rules.ts';
import { findHeard } from '../judging/heard.ts';
import { warningLine, type RunLogLine } from '../log/run-log.ts';
import { storeManifest } from '../proofs/store-manifest.ts';
import { changePendingResult, type ResultChange } from '../results/result-store.ts';
import type { PageResult } from '../results/result.ts';
import { compareResult, settleResult } from './compare-page.ts';
import { handOver, type CapturedRun } from './open-runs.ts';
import { storeCapture, takeControl } from './take-control.ts';

/** Names of the stored files, and what the capture found out about the page. */
type Kept = ResultChange & Pick<PageResult, 'manifestFile' | 'heardFile' | 'warnings'> & { currentFile: string };

function linesFor(result: PageResult, capture: Capture): RunLogLine[] {
  const where = namePlace(result);
  const page = { path: result.path, viewport: result.viewport };
  return [
    {
      type: 'DEBUG',
      message: `${where}: captured ${formatNumber(capture.width)} × ${formatNumber(capture.height)} px in ${formatNumber(Math.round(capture.duration))} ms`,
      metadata: { ...page, engine: capture.engine, width: capture.width, height: capture.height },
    },
    ...capture.warnings.map((warning) => warningLine(page, warning)),
  ];
}

/** The result has fields of its own for these. */
const TOLD = new Set(['cut', 'unstable']);

async function store(ctx: WorkerContext, of: CapturedRun, result: PageResult, capture: Capture): Promise<Kept> {
  const { testSuiteId } = of.run;
  const { file, elementsFile, heardFile } = await storeCapture(ctx, testSuiteId, capture);
  return {
    currentFile: file,
    elementsFile,
    heardFile,
    manifestFile: await storeManifest(ctx, of, result, capture),
    captureEngine: capture.engine,
    stability: capture.stability,
    screenshots: capture.screenshots,
    alsoSeen: capture.alsoSeen.length === 0 ? null : capture.alsoSeen.map((sha256) => imageName(testSuiteId, sha256)),
    served: capture.served,
    cut: capture.cut,
    atRest: capture.atRest,
    captureWay: capture.way,
    unmatchedSelectors: capture.unmatched,
    warnings: [...result.warnings, ...capture.warnings.filter(({ code }) => !TOLD.has(code))],
  };
}

/**
 * Whether to look at the site before the comparison, so that one comparison is enough: the preview definitely differs,
 * and neither rules nor another browser are likely to let that pass.
 */
function isLikelyChange(
  { run, target }: CapturedRun,
  { path, viewport, leftOut }: PageResult,
  baseline: Baseline,
  capture: Capture,
): boolean {
  const { control, ignoreFaint } = run.config;
  if (target.isOwnSite || !control || leftOut || run.git?.basePullRequest !== undefined) return false;
  const own = settingsForPage(run.config, { path, viewport });
  const lets = own.threshold > 0 || own.failureThreshold > 0 || ignoreFaint;
  const ignores = own.ignore.length + own.ignoreBoxes.length > 0;
  const onlyHeard = capture.sha256 === sha256InName(baseline.filePath);
  const isOfOneEngine = baseline.captureEngine !== null && sameEngine(baseline.captureEngine, capture.engine);
  return isOfOneEngine && !onlyHeard && !lets && !ignores;
}

/** Larger screenshots are compared one at a time, and captures don't wait for them, px. */
const MOST_PIXELS = 16_000_000;

/**
 * Saves what was captured and compares it. If the comparison fails, the slots that only compare try it again.
 * @returns false when the result was cancelled, or is gone.
 */
async function compareOrHandOver(
  ctx: WorkerContext,
  of: CapturedRun,
  result: PageResult,
  { baseline, kept, capture, lines }: { baseline: Baseline; kept: Kept; capture: Capture; lines: RunLogLine[] },
): Promise<boolean> {
  const control = isLikelyChange(of, result, baseline, capture)
    ? await takeControl(ctx, of, { ...result, ...kept }, baseline)
    : null;
  const change: ResultChange = {
    ...kept,
    ...control?.change,
    baselineFile: baseline.filePath,
    baselineVersionId: baseline.currentVersionId,
    isNew: false,
  };
  const said = control === null ? lines : [...lines, control.line];
  if (capture.width * capture.height > MOST_PIXELS) return handOver(ctx, result, 'compare', change, said);
  if (!(await changePendingResult(ctx.db, result.id, change))) return false;
  try {
    await compareResult(ctx, of.run, { ...result, ...change }, said);
    return true;
  } catch (error) {
    const { testRunId: runId, path, viewport } = result;
    ctx.log.warn({ err: error, runId, path, viewport }, 'a comparison failed and is tried again');
    return handOver(ctx, result, 'compare', {}, said);
  }
}

const unchanged = (baseline: Baseline) => ({
  baselineFile: baseline.filePath,
  baselineVersionId: baseline.currentVersionId,
  status: 'PASS' as const,
  isNew: false,
  diffScore: 0,
  diffRegions: [],
});

/** Why a MANUAL run makes the next version of a page that has not changed if it is captured like its baseline was. */
const RENEWALS = {
  not_at_rest: 'The previous version was captured before the page was stable. This screenshot shows the stable page.',
  other_timeout:
    'The previous version was captured with another limit for the page to become stable. With that limit, the page has not changed.',
};

/** `written`: false when the result was cancelled, or is gone. */
async function decide(
  ctx: WorkerContext,
  of: CapturedRun,
  result: PageResult,
  baseline: Baseline | null,
  capture: Capture,
): Promise<{ outcome: 'new' | 'same' | 'differs'; written: boolean }> {
  const { run } = of;
  const kept = await store(ctx, of, result, capture);
  const lines = linesFor(result, capture);
  if (baseline === null) {
    const written = await settleResult(ctx, result, { ...kept, status: 'PASS', isNew: true, lines });
    return { outcome: 'new', written };
  }
  if (isAsBaseline({ ...result, ...kept }, baseline)) {
    // Other runs may have their own settings, which say nothing about the baseline.
    const captureWay = run.runType === 'MANUAL' || baseline.captureWay === null ? capture.way : null;
    const { manifestFile, heardFile } = kept;
    await confirmMaking(ctx.db, baseline, {
      atRest: capture.atRest,
      captureWay,
      manifestFile,
      heardFile: run.runType === 'MANUAL' ? heardFile : null,
    });
    return { outcome: 'same', written: await settleResult(ctx, result, { ...unchanged(baseline), ...kept, lines }) };
  }
  // What comes late in a preview may be its own, so it is compared with the site.
  const renewal = capture.asBefore === null ? null : RENEWALS[capture.asBefore];
  const mayRenew = run.runType === 'MANUAL' && kept.atRest === true && kept.currentFile !== baseline.filePath;
  const soundsOther = async () => (await findHeard(ctx, run, { ...result, ...kept }, baseline.heardFile)).holds;
  if (mayRenew && renewal !== null && !(await soundsOther())) {
    const change = { ...unchanged(baseline), ...kept, renewal, lines };
    return { outcome: 'same', written: await settleResult(ctx, result, change) };
  }
  return {
    outcome: 'differs',
    written: await compareOrHandOver(ctx, of, result, { baseline, kept, capture, lines }),
  };
}

/** Settles an unchanged or new page, and compares a screenshot that differs from its baseline. */
export async function keepCapture(
  ctx: WorkerContext,
  of: CapturedRun,
  result: PageResult,
  baseline: Baseline | null,
  capture: Capture,
): Promise<void> {
  const { run } = of;
  const { outcome, written } = await decide(ctx, of, result, baseline, capture);
  ctx.measure('captures', { outcome }, 1);
  // The suite and its screenshots may have been deleted while this screenshot was being stored.
  if (!written && !(await isSuite(ctx, run.testSuiteId))) await ctx.storage.removeAll(suitePrefix(run.testSuiteId));
}
