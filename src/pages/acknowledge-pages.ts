import type { Db } from '../db/database.ts';
import { findNewPaths, setAcknowledged } from './site-page-store.ts';

/** NEW pages that somebody has seen: their screenshots were approved, or captured twice. */
export async function acknowledgePaths(trx: Db, suiteId: string, paths: string[]): Promise<void> {
  if (paths.length > 0) await setAcknowledged(trx, suiteId, paths);
}

/** Paths of NEW pages, at most `limit`. */
export async function listNewPaths(db: Db, suiteId: string, limit: number): Promise<string[]> {
  return findNewPaths(db, suiteId, limit);
}
