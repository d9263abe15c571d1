import { computed } from '../../db/computed.ts';
import type { Db } from '../../db/database.ts';
import type { LogType, RunLog } from './run-log.ts';

/** `after` and `before` are ids of lines. `after`: the first lines after it. `before`: the last lines before it. */
export type LogPart = {
  types: readonly LogType[];
  after?: string | undefined;
  before?: string | undefined;
  limit: number;
};

const COLUMNS = ['id', 'test_run_id', 'type', 'message', 'metadata', 'progress', 'timestamp', 'created_at'] as const;

/** Always oldest first. Without `after` and `before`: the last lines. Empty when the named line is not of this run. */
export async function findLogPart(db: Db, runId: string, { types, after, before, limit }: LogPart): Promise<RunLog[]> {
  const findLineNumber = (id: string) => db('test_run_logs').where({ test_run_id: runId, id }).select('number');
  const query = db('test_run_logs')
    .where({ test_run_id: runId })
    .whereIn('type', [...types]);
  if (after !== undefined) void query.where('number', '>', findLineNumber(after));
  else if (before !== undefined) void query.where('number', '<', findLineNumber(before));
  const fromStart = after !== undefined;
  const lines = await query
    .orderBy('number', fromStart ? 'asc' : 'desc')
    .limit(limit)
    .select(COLUMNS);
  return fromStart ? lines : lines.toReversed();
}

export async function countLogTypes(db: Db, runId: string): Promise<{ type: LogType; count: number }[]> {
  return db('test_run_logs')
    .where({ test_run_id: runId })
    .groupBy('type')
    .select('type', computed(db, 'count', 'bigint', 'count(*)'));
}
