import type { Db } from '../db/database.ts';
import type { SettledResult } from './result.ts';
import { SETTLED_STATUSES } from './result.ts';

const COLUMNS = ['id', 'path', 'viewport', 'status', 'is_new', 'diff_score', 'error', 'settled_number'];

const settled = (db: Db, runId: string) =>
  db('page_results')
    .where({ test_run_id: runId })
    .whereIn('status', [...SETTLED_STATUSES]);

/** The first results that settled after the one with this number, in order. */
export async function findSettledAfter(db: Db, runId: string, after: number, limit: number): Promise<SettledResult[]> {
  return settled(db, runId)
    .where('settled_number', '>', after)
    .orderBy('settled_number')
    .limit(limit)
    .select<SettledResult[]>(COLUMNS);
}

/** The results that settled last, in order. */
export async function findLastSettled(db: Db, runId: string, limit: number): Promise<SettledResult[]> {
  const results = await settled(db, runId)
    .whereNotNull('settled_number')
    .orderBy('settled_number', 'desc')
    .limit(limit)
    .select<SettledResult[]>(COLUMNS);
  return results.toReversed();
}
