import type { Db } from '../db/database.ts';
import { enqueueAll } from '../queue/enqueue.ts';
import { findOpenChecks } from './open-check-store.ts';

/** In the queue of the run's own check: whatever is about to make that check does so before this ends it. */
export async function queueEndOfChecks(trx: Db, suiteId: string): Promise<void> {
  const jobs = (await findOpenChecks(trx, suiteId)).map(({ installationId, checkRunId, ...check }) => ({
    payload: { ...check, installationId: String(installationId), checkRunId: String(checkRunId ?? '') },
    options: { key: `end-check/${check.runId}`, queue: `check/${check.runId}` },
  }));
  await enqueueAll(trx, 'end-check', jobs);
}
