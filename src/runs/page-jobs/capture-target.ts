import type { Baseline } from '../../baselines/baseline.ts';
import { CaptureError, type Capture } from '../../capture/browser/browser.ts';
import type { CaptureSeries } from '../../capture/browser/capture-request.ts';
import type { WorkerContext } from '../../context.ts';
import { openBuild } from '../builds/open-build.ts';
import { chooseRecording } from '../proofs/store-manifest.ts';
import type { PageResult } from '../results/result.ts';
import { addressAtTarget } from '../run.ts';
import { captureRequest, hearingOf } from './capture-request.ts';
import { captureAtPace, captureWithAccess } from './capture-with-access.ts';
import type { CapturedRun } from './open-runs.ts';

/**
 * Captures a page of the run's target: of its build, which needs no access, or of a server. With a series, its turn ends
 * with that.
 * @throws CaptureError, CaptureCancelled
 */
export async function captureTarget(
  ctx: WorkerContext,
  { run, suite, target, pace, visit }: Omit<CapturedRun, 'base'>,
  page: PageResult,
  baseline: Baseline | null,
  series?: CaptureSeries,
): Promise<Capture> {
  const address = addressAtTarget(target, page.path);
  if (address === null) {
    const where = run.buildId === null ? `the preview at ${run.targetBaseUrl}` : 'the build';
    throw new CaptureError(
      `The page is outside of the suite’s base URL, ${suite.baseUrl}, so it is not a part of ${where}`,
    );
  }
  // If a page was outside of the base when the run started, and no longer is, its address is on the site itself.
  if (address !== page.url) {
    throw new CaptureError('The suite’s base URL has changed since this run began. Start a new run');
  }
  const heard = hearingOf(run.config, baseline, { learns: target.isOwnSite && run.runType === 'MANUAL' });
  const request = { ...captureRequest(run, page, baseline), ...heard, ...(series === undefined ? {} : { series }) };
  const records = await chooseRecording(ctx, run, { page, baseline, target, visit });
  const preview = target.isOwnSite ? null : { base: target.base, site: target.site };
  if (run.buildId === null) {
    const origins = target.isOwnSite || baseline === null ? {} : { origins: [target.base.origin, target.site.origin] };
    return captureWithAccess(ctx, visit, { ...request, ...records, ...origins, preview, scope: run.id }, pace);
  }
  const site = await openBuild(ctx, { suiteId: suite.id, base: target.base }, run.buildId);
  return captureAtPace(ctx, { ...request, ...records, preview, site }, pace);
}
