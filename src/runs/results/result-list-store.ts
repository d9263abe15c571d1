import { computed } from '../../db/computed.ts';
import type { Db } from '../../db/database.ts';
import type { ListPart } from '../../db/list-part.ts';
import { qualified } from '../../db/qualified.ts';
import type { Cause, ListedResult, ResultCounts, ResultPlace } from './result.ts';

const COLUMNS = [
  ...qualified('page_results', [
    'id',
    'test_run_id',
    'url',
    'path',
    'viewport',
    'status',
    'approved',
    'approved_at',
    'verdict_number',
    'changes_requested',
    'is_new',
    'current_file',
    'baseline_file',
    'diff_file',
    'diff_score',
    'cause',
    'cause_version',
    'stability',
    'proof',
    'faint',
    'cut',
    'control_file',
    'servers',
    'change_ids',
    'heard_ids',
    'left_out',
    'base_state',
    'base_file',
    'base_status',
    'base_score',
    'base_diff_file',
    'error',
    'created_at',
    'updated_at',
    'position',
  ]),
  'page_results.approved_by as approved_by_id',
  'page_results.cause_pr_number as cause_pull_request',
] as const;

function resultsOf(db: Db, runId: string, cause: Cause | undefined) {
  const query = db('page_results').where({ test_run_id: runId });
  if (cause !== undefined) void query.where({ cause });
  return query;
}

/** A run's positions are in the order of its paths, so the index of paths finds the position. */
function resultsAfter(db: Db, runId: string, cause: Cause | undefined, after: ResultPlace | null) {
  const query = resultsOf(db, runId, cause).orderBy(['path', 'position']);
  if (after !== null) void query.where('path', '>=', after[0]).whereRaw('(path, position) > (?, ?)', after);
  return query;
}

/** In the order of the run. */
export async function findListedResults(
  db: Db,
  runId: string,
  cause: Cause | undefined,
  { limit, after }: ListPart<ResultPlace>,
): Promise<ListedResult[]> {
  return resultsAfter(db, runId, cause, after).limit(limit).select(COLUMNS);
}

/** The place of the last result of a part, if there are more after it. */
export async function findEndOfPart(
  db: Db,
  runId: string,
  cause: Cause | undefined,
  { limit, after }: ListPart<ResultPlace>,
): Promise<ResultPlace | null> {
  const [last, next] = await resultsAfter(db, runId, cause, after)
    .limit(2)
    .offset(limit - 1)
    .select('path', 'position');
  return last === undefined || next === undefined ? null : [last.path, last.position];
}

export async function countResults(db: Db, runId: string, cause: Cause | undefined): Promise<ResultCounts> {
  const rows = await resultsOf(db, runId, cause)
    .groupBy('status')
    .select('status', computed(db, 'count', 'bigint', 'count(*)'));
  const counts: ResultCounts = { PENDING: 0, PASS: 0, FAIL: 0, ERROR: 0, CANCELLED: 0 };
  for (const { status, count } of rows) counts[status] = count;
  return counts;
}
