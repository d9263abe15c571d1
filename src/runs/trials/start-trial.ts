import type { Context } from '../../context.ts';
import { inTransaction, type Db } from '../../db/database.ts';
import { invalid, notFound } from '../../errors.ts';
import { enqueue, forSomebodyWaiting } from '../../queue/enqueue.ts';
import { effectiveConfig, type SuiteConfigInput } from '../../suites/config/suite-config.ts';
import { mayVisit } from '../../suites/site-access/change-site-access.ts';
import type { SuiteFor } from '../../suites/suite.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { findTrial, insertTrial, type TrialDraft } from './trial-store.ts';
import type { Trial } from './trial.ts';

export type StartTrial = {
  /** A path of the suite's site; it need not be one of its pages. */
  path: string;
  viewport: string;
  /** Need not be saved. */
  config: SuiteConfigInput;
};

/** The path in the form of a page of the suite. Null for a page of another site. */
function parsePath(path: string, origin: string): string | null {
  const url = parseUrl(path, origin);
  return url?.origin === origin ? url.pathname + url.search : null;
}

async function addTrial(db: Db, { id, userId }: SuiteFor, draft: TrialDraft): Promise<string> {
  return inTransaction(db, async (trx) => {
    const trialId = await insertTrial(trx, id, draft);
    await enqueue(trx, 'try-page', { trialId }, { queue: `trial/${id}`, ...forSomebodyWaiting(userId) });
    return trialId;
  });
}

/**
 * Queues the capture of one page with these settings. A suite has one trial at a time; others wait.
 * @returns the id of the trial.
 * @throws AppError invalid for a path of another site, and for a viewport that the settings do not have.
 */
export async function startTrial(
  { db }: Pick<Context, 'db'>,
  suite: SuiteFor<'suite.edit'>,
  input: StartTrial,
): Promise<string> {
  const config = effectiveConfig(input.config);
  const path = parsePath(input.path, suite.origin);
  if (path === null) {
    throw invalid('Some fields are not valid', [{ path: 'trialPath', message: 'must be a path on this site' }]);
  }
  const { viewport } = input;
  if (!config.viewports.some(({ name }) => name === viewport)) {
    const message = 'must be one of the viewports above';
    throw invalid('Some fields are not valid', [{ path: 'trialViewport', message }]);
  }
  return addTrial(db, suite, { origin: null, path, viewport, config });
}

/**
 * Queues a visit to an address, like crawls and captures would make it: a path of the suite's site, or the full address
 * of a preview that may get its access.
 * @returns the id of the trial.
 * @throws AppError invalid for any other address; unprocessable for one that may not be reached.
 */
export async function startAddressTrial(
  ctx: Pick<Context, 'db' | 'network'>,
  suite: SuiteFor<'suite.access'>,
  address: string,
): Promise<string> {
  const { config } = suite;
  const [viewport] = config.viewports;
  const url = parseUrl(address, suite.origin);
  if (viewport === undefined || url === null || !(await mayVisit(ctx, suite, url.href))) {
    const message = 'must be a path on this site, or a URL on one of the preview hosts';
    throw invalid('Some fields are not valid', [{ path: 'tryAddress', message }]);
  }
  await ctx.network.assertAllowed(url.href);
  const path = url.pathname + url.search;
  return addTrial(ctx.db, suite, { origin: url.origin, path, viewport: viewport.name, config });
}

/** @throws AppError not_found, also for a trial of another suite. */
export async function readTrial({ db }: Pick<Context, 'db'>, suite: SuiteFor, id: string): Promise<Trial> {
  const trial = await findTrial(db, id);
  if (trial?.testSuiteId !== suite.id) throw notFound('Trial');
  return trial;
}
