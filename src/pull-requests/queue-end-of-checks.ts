import type { Db } from '../db/database.ts';
import { enqueueAll } from '../queue/enqueue.ts';
import { findOpenChecks } from './open-check-store.ts';

/** Whatever is about to make such a check does so before this ends it: their jobs take turns. */
export async function queueEndOfChecks(trx: Db, suiteId: string): Promise<void> {
  const checks = await findOpenChecks(trx, suiteId);
  const jobs = checks.map((payload) => ({ payload }));
  await enqueueAll(trx, 'end-check', jobs);
}
