import type { Db } from '../db/database.ts';
import { setDifferentServers } from './different-servers-store.ts';

/**
 * Stores, in the caller's transaction, whether a kind of preview is on another server than the suite's site. @returns
 * false if that was known.
 */
export async function keepDifferentServers(
  trx: Db,
  suiteId: string,
  { kind, differ }: { kind: string; differ: boolean },
): Promise<boolean> {
  return setDifferentServers(trx, suiteId, kind, differ);
}
