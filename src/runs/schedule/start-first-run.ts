import type { Context } from '../../context.ts';
import { inTransaction, type Db } from '../../db/database.ts';
import { findSuite } from '../../suites/suite-store.ts';
import { hasSiteRun, lockSuiteRuns } from '../run-store.ts';
import { draftSiteRun, openRunIfAny } from '../start-run.ts';

async function openFirstRun(trx: Db, suiteId: string): Promise<string | null> {
  await lockSuiteRuns(trx, suiteId);
  const suite = await findSuite(trx, suiteId);
  if (suite === null || !suite.isActive || (await hasSiteRun(trx, suiteId))) return null;
  const run = await openRunIfAny(trx, draftSiteRun(suite, { startedBy: suite.userId, trigger: 'CRAWL' }));
  return run?.id ?? null;
}

/**
 * Job: the first run of a suite whose first crawl has tracked pages, which captures the baselines. Does nothing if
 * there is a run already, or nothing to capture. It counts as the owner's, who requested it by the suite's
 * configuration.
 */
export async function startFirstRun(
  { db, log }: Pick<Context, 'db' | 'log'>,
  { suiteId }: { suiteId: string },
): Promise<void> {
  const runId = await inTransaction(db, async (trx) => openFirstRun(trx, suiteId));
  if (runId !== null) log.info({ suiteId, runId }, 'the first run of a suite started');
}
