import type { Capture, CaptureRequest } from '../../capture/browser/browser.ts';
import type { WorkerContext } from '../../context.ts';
import { findSuite } from '../../suites/suite-store.ts';
import { openBuild } from '../builds/open-build.ts';
import type { Run } from '../run.ts';
import { captureWithAccess } from './capture-with-access.ts';

/**
 * Captures a page of what the run is about: of its build, which no access is needed for, or of a server.
 * @throws CaptureError, CaptureCancelled
 */
export async function captureTarget(
  ctx: WorkerContext,
  run: Run,
  request: CaptureRequest,
  isOver: () => Promise<boolean>,
): Promise<Capture> {
  if (run.buildId === null) {
    return captureWithAccess(ctx, { suiteId: run.testSuiteId, scope: run.id }, request, isOver);
  }
  const suite = await findSuite(ctx.db, run.testSuiteId);
  if (suite === null) throw new Error(`The suite of run ${run.id} is gone`);
  const site = await openBuild(ctx, { ...suite, origin: new URL(run.targetBaseUrl).origin }, run.buildId);
  return ctx.browser.capture({ ...request, site }, isOver);
}
