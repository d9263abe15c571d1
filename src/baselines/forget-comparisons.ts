import type { Db } from '../db/database.ts';
import { deleteComparisons } from './comparison-store.ts';

const DAY_MS = 86_400_000;
/** They are made again when somebody looks. */
const KEPT_MS = 90 * DAY_MS;
const AT_ONCE = 1000;

/** Forgets what old comparisons of two versions came to. @returns the objects that they named. */
export async function forgetComparisons(trx: Db, suiteId: string, now: Date): Promise<string[]> {
  return deleteComparisons(trx, suiteId, new Date(now.getTime() - KEPT_MS), AT_ONCE);
}
