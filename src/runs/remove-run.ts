import type { Db } from '../db/database.ts';
import { deleteRun, lockIdleRun } from './run-store.ts';

/**
 * Removes a run with everything that belongs to it, in the caller's transaction. `leave` runs while the run is locked,
 * and stores what has to remain of it.
 * @returns what `leave` answers. Null: the run stays, because `leave` says so, it is gone, or somebody is changing it.
 */
export async function removeRun<T>(trx: Db, id: string, leave: () => Promise<T | null>): Promise<T | null> {
  if (!(await lockIdleRun(trx, id))) return null;
  const left = await leave();
  if (left !== null) await deleteRun(trx, id);
  return left;
}
