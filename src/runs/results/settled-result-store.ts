import type { Db } from '../../db/database.ts';
import { SETTLED_STATUSES, type ResultStatus, type SettledResult } from './result.ts';

const COLUMNS = [
  'id',
  'path',
  'viewport',
  'status',
  'is_new',
  'diff_score',
  'cause',
  'error',
  'current_file',
  'settled_number',
] as const;

const settled = (db: Db, runId: string) =>
  db('page_results')
    .where({ test_run_id: runId })
    .whereIn('status', [...SETTLED_STATUSES]);

/** Throws for a row that the conditions of `settled` and an order by `settled_number` cannot give. */
function toSettledResult({
  status,
  settledNumber,
  ...row
}: Omit<SettledResult, 'status' | 'settledNumber'> & {
  status: ResultStatus;
  settledNumber: number | null;
}): SettledResult {
  const settledStatus = SETTLED_STATUSES.find((each) => each === status);
  if (settledStatus === undefined || settledNumber === null) throw new Error(`The result ${row.id} is not settled`);
  return { ...row, status: settledStatus, settledNumber };
}

/** The first results that settled after the one with this number, in order. */
export async function findSettledAfter(db: Db, runId: string, after: number, limit: number): Promise<SettledResult[]> {
  const results = await settled(db, runId)
    .where('settled_number', '>', after)
    .orderBy('settled_number')
    .limit(limit)
    .select(COLUMNS);
  return results.map(toSettledResult);
}

/** The results that settled last, in order. */
export async function findLastSettled(db: Db, runId: string, limit: number): Promise<SettledResult[]> {
  const results = await settled(db, runId)
    .whereNotNull('settled_number')
    .orderBy('settled_number', 'desc')
    .limit(limit)
    .select(COLUMNS);
  return results.map(toSettledResult).toReversed();
}
