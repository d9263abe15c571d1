import { CaptureCancelled, CaptureError, type Capture } from '../../capture/browser/browser.ts';
import type { Context, WorkerContext } from '../../context.ts';
import { decodeElementMap } from '../../elements/encode-element-map.ts';
import type { Region } from '../../elements/region.ts';
import { FetchError, followRedirects, redirectTarget } from '../../net/network.ts';
import { isOnHost } from '../../net/site-base.ts';
import type { JobRun } from '../../queue/job.ts';
import { imageName } from '../../storage/object-name.ts';
import { rulesForPage } from '../../suites/config/page-rule.ts';
import { createSiteFetch } from '../../suites/site-access/fetch-site.ts';
import { findSuite } from '../../suites/suite-store.ts';
import type { Suite } from '../../suites/suite.ts';
import { ignoredAreas, warnOfCover } from '../judging/ignored-areas.ts';
import { captureRequest } from '../page-jobs/capture-request.ts';
import { captureWithAccess } from '../page-jobs/capture-with-access.ts';
import { createVisits } from '../page-jobs/own-site.ts';
import { findTrial, saveVisit, settleTrial, type TrialOutcome } from './trial-store.ts';
import type { Trial, TrialVisit } from './trial.ts';

const MAX_REDIRECTS = 8;
const MAX_BYTES = 256 * 1024;

/** Requests a page like a crawl would, with the access to the site. Redirects on its host are followed. */
async function visitAddress(ctx: WorkerContext, suite: Suite, url: string, scope: string): Promise<TrialVisit> {
  const site = createSiteFetch(ctx, { suiteId: suite.id, scope });
  const { userAgent, timeout } = suite.config.crawlOptions;
  try {
    const end = await followRedirects<Omit<TrialVisit, 'wall'>>(url, MAX_REDIRECTS, async (address) => {
      const response = await site.fetch({ url: address, userAgent, timeout, maxBytes: MAX_BYTES });
      const next = redirectTarget(response, address);
      if (next === null) return { end: { status: response.status, address, error: null } };
      return isOnHost(next, url) ? { next } : { end: { status: response.status, address: next, error: null } };
    });
    return end === null
      ? { status: null, address: url, error: 'It redirects endlessly', wall: null }
      : { ...end, wall: site.wall() };
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return { status: null, address: url, error: error.message, wall: site.wall() };
  }
}

async function findIgnored({ config, ...page }: Trial, { elements }: Capture): Promise<Region[]> {
  const current = elements === null ? null : await decodeElementMap(elements);
  return (await ignoredAreas(rulesForPage(config.rules, page), { baseline: null, current })).current;
}

async function outcomeOf(ctx: WorkerContext, trial: Trial, capture: Capture): Promise<TrialOutcome> {
  const file = imageName(trial.testSuiteId, capture.sha256);
  await ctx.storage.put(file, capture.png);
  const ignored = await findIgnored(trial, capture);
  const warnings = [...capture.warnings, ...warnOfCover(trial.config, trial.viewport, { ...capture, ignored })];
  return {
    status: 'DONE',
    file,
    ignoredBoxes: ignored,
    unmatchedSelectors: capture.unmatched,
    warnings: warnings.map(({ message }) => message),
  };
}

/** Job: captures the page of a trial. A second delivery does nothing. */
export async function tryPage(
  ctx: WorkerContext,
  { trialId }: { trialId: string },
  job: Pick<JobRun, 'signal'>,
): Promise<void> {
  const trial = await findTrial(ctx.db, trialId);
  const suite = trial === null ? null : await findSuite(ctx.db, trial.testSuiteId);
  if (trial?.status !== 'PENDING' || suite === null) return;
  const url = (trial.origin ?? suite.origin) + trial.path;
  if (trial.origin !== null) await saveVisit(ctx.db, trialId, await visitAddress(ctx, suite, url, trialId));
  const page = { url, path: trial.path, viewport: trial.viewport };
  try {
    const visit = createVisits(ctx, { id: trialId, testSuiteId: suite.id });
    const isOver = async () => job.signal.aborted;
    const capture = await captureWithAccess(ctx, visit, captureRequest(trial, page, null), { isOver });
    await settleTrial(ctx.db, trialId, await outcomeOf(ctx, trial, capture));
  } catch (error) {
    if (error instanceof CaptureCancelled) job.signal.throwIfAborted();
    if (!(error instanceof CaptureError)) throw error;
    await settleTrial(ctx.db, trialId, { status: 'ERROR', error: error.message });
  }
}

/** Called when the job failed at every attempt. */
export async function giveUpTrial({ db }: Pick<Context, 'db'>, { trialId }: { trialId: string }): Promise<void> {
  const error = 'The page could not be captured because the worker failed on every attempt';
  await settleTrial(db, trialId, { status: 'ERROR', error });
}
