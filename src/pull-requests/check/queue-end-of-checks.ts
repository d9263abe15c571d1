import type { Db } from '../../db/database.ts';
import { enqueueAll } from '../../queue/enqueue.ts';
import { findOpenChecks } from './open-check-store.ts';

/** A job that is creating one of these checks finishes first, because the jobs of one check share a queue. */
export async function queueEndOfChecks(trx: Db, suiteId: string): Promise<void> {
  const checks = await findOpenChecks(trx, suiteId);
  const jobs = checks.map((payload) => ({ payload }));
  await enqueueAll(trx, 'end-check', jobs);
}
