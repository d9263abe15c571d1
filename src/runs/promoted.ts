import type { Db } from '../db/database.ts';
import { findPromotedResultIds, lockMergeState } from './promoted-store.ts';

/**
 * Whether the run's pull request is merged, so that what is approved becomes baselines; if not, it will not be before
 * the transaction ends. To be asked before the run is locked: what records a merge locks its runs after it.
 */
export async function isMerged(trx: Db, runId: string): Promise<boolean> {
  return (await lockMergeState(trx, runId)) === 'MERGED';
}

/** Results of the run that a person, or a merge, has made a baseline version of. */
export async function promotedResultIds(db: Db, runId: string): Promise<Set<string>> {
  return findPromotedResultIds(db, runId);
}
