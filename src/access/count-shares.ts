import type { Db } from '../db/database.ts';
import { countGrants } from './grant-store.ts';
import type { SharedSuite } from './grant.ts';

/** Number of grants by suite id, the owner excluded, in one query; every suite that was asked for is in the map. */
export async function shareCounts(db: Db, suites: readonly SharedSuite[]): Promise<Map<string, number>> {
  const counted = suites.length === 0 ? [] : await countGrants(db, suites);
  return new Map([
    ...suites.map(({ id }): [string, number] => [id, 0]),
    ...counted.map(({ id, count }): [string, number] => [id, count]),
  ]);
}
