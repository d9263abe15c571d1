import type { Baseline } from '../../baselines/baseline.ts';
import { readMaking } from '../../baselines/read-baselines.ts';
import { CaptureCancelled, CaptureError, type Capture } from '../../capture/browser/browser.ts';
import type { Context, WorkerContext } from '../../context.ts';
import { elementsName, heardName, imageName } from '../../storage/object-name.ts';
import { formatCount, formatNumber } from '../../text/format.ts';
import { namePlace } from '../../text/readable-path.ts';
import { sha256Of } from '../../text/sha256.ts';
import { warningLine, type RunLogLine } from '../log/run-log.ts';
import { provePage } from '../proofs/prove-page.ts';
import { findDueControls, type ResultChange } from '../results/result-store.ts';
import type { PageResult } from '../results/result.ts';
import { captureRequest, hearingOf } from './capture-request.ts';
import { captureWithAccess } from './capture-with-access.ts';
import { isForOtherEngine } from './choose-engine.ts';
import { createOpenRuns, handOver, paceOf, type CapturedRun, type PageJob } from './open-runs.ts';

/** Stores a screenshot, its element map and its accessibility tree. @returns their object names; null for what it lacks. */
export async function storeCapture(
  { storage }: Pick<WorkerContext, 'storage'>,
  suiteId: string,
  { png, sha256, elements, heard }: Capture,
): Promise<{ file: string; elementsFile: string | null; heardFile: string | null }> {
  const file = imageName(suiteId, sha256);
  await storage.put(file, png);
  const elementsFile = elements && elementsName(suiteId, sha256Of(elements));
  if (elements !== null && elementsFile !== null) await storage.put(elementsFile, elements);
  const heardFile = heard && heardName(suiteId, sha256Of(heard));
  if (heard !== null && heardFile !== null) await storage.put(heardFile, heard);
  return { file, elementsFile, heardFile };
}

/** What the suite's own site showed, for the result and the run's log. */
export type Control = { change: ResultChange; line: RunLogLine };

/** The baseline that the result is compared with, and how it was made. */
type Reference = Pick<Baseline, 'filePath' | 'atRest' | 'captureWay' | 'elementsFile' | 'manifestFile' | 'heardFile'>;

type Of = Pick<CapturedRun, 'run' | 'suite' | 'pace' | 'visit' | 'ownSite'>;

/** Without a control screenshot, a difference is the preview's own. */
function withoutControl(result: Pick<PageResult, 'path' | 'viewport' | 'warnings'>, why: string): Control {
  const message = `the difference counts as a change because the suite’s own site could not be captured for comparison: ${why}`;
  const warning = { code: 'control_failed', message };
  return {
    change: { controlState: 'FAILED', warnings: [...result.warnings, warning] },
    line: warningLine(result, warning),
  };
}

/** The site serves what the baseline was made from, so that its screenshot would be the baseline. */
function fromProof(
  { path, viewport }: Pick<PageResult, 'path' | 'viewport'>,
  { filePath, elementsFile, heardFile }: Reference,
  requests: number,
): Control {
  return {
    change: {
      controlState: 'TAKEN',
      controlFile: filePath,
      controlElementsFile: elementsFile,
      controlHeardFile: heardFile,
      controlServed: null,
    },
    line: {
      type: 'DEBUG',
      message: `${namePlace({ path, viewport })}: the suite’s own site serves what it served when the baseline was captured, by ${formatCount(requests, 'request')}, so it was not captured for comparison`,
      metadata: { path, viewport, provenByRequests: requests },
    },
  };
}

/** How many requests prove that the site would look like the baseline. Null: it is not proven. */
async function prove(
  ctx: WorkerContext,
  { suite, ownSite, pace }: Of,
  { path, viewport }: PageResult,
  { manifestFile }: Reference,
): Promise<number | null> {
  const asking = manifestFile === null ? null : await ownSite.ask();
  const page = { path, viewport, url: suite.origin + path };
  return asking === null ? null : provePage(ctx, asking, page, manifestFile, pace.isOver);
}

async function capture(
  ctx: WorkerContext,
  { run, suite, pace, visit }: Of,
  result: PageResult,
  baseline: Reference | null,
): Promise<Control> {
  const { path, viewport } = result;
  const page = { path, viewport, url: suite.origin + path };
  const origins = [new URL(run.targetBaseUrl).origin, suite.origin];
  // A difference that only assistive technology hears is looked for on the site as well.
  const heard = hearingOf(run.config, baseline, { learns: true });
  const always =
    result.heardFile !== null && result.currentFile === baseline?.filePath ? { heard: 'always' as const } : heard;
  const request = { ...captureRequest(run, page, baseline), ...always, origins, scope: `${run.id}/control` };
  const taken = await captureWithAccess(ctx, visit, request, pace);
  const { file, elementsFile, heardFile } = await storeCapture(ctx, suite.id, taken);
  return {
    change: {
      controlState: 'TAKEN',
      controlFile: file,
      controlElementsFile: elementsFile,
      controlHeardFile: heardFile,
      controlServed: taken.served,
      // A page that is unstable on the site is unstable on its preview, too.
      ...(taken.stability === 'UNSTABLE' && { stability: taken.stability }),
    },
    line: {
      type: 'DEBUG',
      message: `${namePlace({ path, viewport })}: captured on the suite’s own site for comparison, in ${formatNumber(Math.round(taken.duration))} ms`,
      metadata: { path, viewport, engine: taken.engine, width: taken.width, height: taken.height },
    },
  };
}

/**
 * How a page looks on the suite's own site now: like its baseline, if the site serves what that was made from,
 * otherwise by a screenshot. If the site can't be captured, no result fails.
 * @throws CaptureCancelled
 */
export async function takeControl(
  ctx: WorkerContext,
  of: Of,
  result: PageResult,
  baseline: Reference | null,
): Promise<Control> {
  if (await of.ownSite.isGivenUp()) return withoutControl(result, 'it failed for other pages of this run');
  const requests = baseline === null ? null : await prove(ctx, of, result, baseline);
  if (baseline !== null && requests !== null) {
    ctx.measure('captures', { outcome: 'control_proven' }, 1);
    return fromProof(result, baseline, requests);
  }
  try {
    const control = await capture(ctx, of, result, baseline);
    ctx.measure('captures', { outcome: 'control' }, 1);
    return control;
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error;
    ctx.measure('captures', { outcome: 'control_failed' }, 1);
    return withoutControl(result, error.message);
  }
}

/** Has the result compared without a control screenshot. */
export async function endWithout(ctx: Pick<Context, 'db'>, result: PageResult, why: string): Promise<void> {
  const { change, line } = withoutControl(result, why);
  await handOver(ctx, result, 'compare', change, [line]);
}

/**
 * Captures a page on the suite's own site, as it is now, at each viewport at which its comparison asked for that. It
 * saves after each one. Pages that another worker should capture are left.
 */
export async function captureControl(
  ctx: WorkerContext,
  { runId, path }: { runId: string; path: string },
  job: PageJob,
  runs = createOpenRuns(ctx),
): Promise<void> {
  const opened = await runs.open(runId);
  if (opened === null) return;
  const of = { ...opened, pace: paceOf(ctx, opened.run, job) };
  const due = await findDueControls(ctx.db, runId, path);
  const [first] = due;
  if (first === undefined) return;
  const engines = due.map(({ captureEngine }) => captureEngine);
  if (await isForOtherEngine(ctx, engines, first.updatedAt)) return;
  for (const result of due) {
    const { baselineFile, baselineVersionId } = result;
    const isKnown = baselineFile !== null && baselineVersionId !== null;
    const baseline = isKnown ? { ...(await readMaking(ctx, baselineVersionId)), filePath: baselineFile } : null;
    try {
      const { change, line } = await takeControl(ctx, of, result, baseline);
      await handOver(ctx, result, 'compare', change, [line]);
    } catch (error) {
      if (!(error instanceof CaptureCancelled)) throw error;
      job.signal.throwIfAborted();
      return;
    }
  }
}
