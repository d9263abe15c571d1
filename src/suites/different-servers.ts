import type { Db } from '../db/database.ts';
import { addDifferentServers, removeDifferentServers } from './different-servers-store.ts';

/**
 * Keeps that a kind of preview is, or is not, on another server than the suite's site, in the caller's transaction.
 * @returns false when that was known.
 */
export async function keepDifferentServers(
  trx: Db,
  suiteId: string,
  { kind, differ }: { kind: string; differ: boolean },
): Promise<boolean> {
  return differ ? addDifferentServers(trx, suiteId, kind) : removeDifferentServers(trx, suiteId, kind);
}
