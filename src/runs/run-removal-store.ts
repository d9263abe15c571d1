import type { Db } from '../db/database.ts';

/** Locks the run until the transaction ends. False: it is gone, or somebody is changing it. */
export async function lockIdleRun(trx: Db, id: string): Promise<boolean> {
  return (await trx('test_runs').where({ id }).forUpdate().skipLocked().first('id')) !== undefined;
}

/** With its results, logs, comments and all else that belongs to it. Baseline versions stay. */
export async function deleteRun(trx: Db, id: string): Promise<void> {
  await trx('test_runs').where({ id }).delete();
}
