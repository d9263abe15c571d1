import type { Db } from '../db/database.ts';
import { countGrants } from './grant-store.ts';

/** Number of grants by suite id, the owner excluded, in one query; every id that was asked for is in the map. */
export async function shareCounts(db: Db, suiteIds: readonly string[]): Promise<Map<string, number>> {
  const counted = suiteIds.length === 0 ? [] : await countGrants(db, suiteIds);
  return new Map([
    ...suiteIds.map((id): [string, number] => [id, 0]),
    ...counted.map(({ id, count }): [string, number] => [id, count]),
  ]);
}
