import type { Context } from '../../context.ts';
import { describeSiteAccess } from '../../suites/site-access/describe-access.ts';
import { appendLogs } from '../log/log-store.ts';
import type { Run } from '../run.ts';

/** Writes to the run's log which access its requests carry, and who changed that last. */
export async function logSiteAccess(
  { db }: Pick<Context, 'db'>,
  { id, testSuiteId }: Pick<Run, 'id' | 'testSuiteId'>,
): Promise<void> {
  const message = await describeSiteAccess({ db }, testSuiteId);
  if (message !== null) await appendLogs(db, id, [{ type: 'INFO', message }]);
}
