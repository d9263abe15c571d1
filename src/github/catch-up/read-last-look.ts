import type { Db } from '../../db/database.ts';
import { findDeliveryRound } from './catch-up-store.ts';

/** When GitHub was asked last for what did not arrive, and why it did not tell. Null: it was not asked so far. */
export async function readLastLook(db: Db, appId: number): Promise<{ checkedAt: Date; problem: string | null } | null> {
  return findDeliveryRound(db, appId);
}
