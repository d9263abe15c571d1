import { z } from 'zod';
import { computed, prepared, readRows, type Db } from '../../db/database.ts';
import type { ListPart } from '../../db/list-part.ts';
import { FAILURE_CODES } from '../../net/failure-code.ts';
import { LISTED_COLUMNS, SETTLED_COLUMNS, type ListedResult } from './result-sql.ts';
import {
  rankSection,
  SETTLED_STATUSES,
  type Cause,
  type ResultCounts,
  type ResultPlace,
  type SettledResult,
} from './result.ts';

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
  const query = resultsAfter(db, runId, cause, after).limit(limit);
  const isWhole = cause === undefined && after === null;
  return (isWhole ? prepared(db, 'results', query) : query).select(LISTED_COLUMNS);
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

const ErrorGroup = z.object({
  error: z.string(),
  code: z.enum(FAILURE_CODES).nullable(),
  results: z.number(),
  paths: z.array(z.string()),
  total: z.number(),
});
/** The results of a run with the same error. `total`: all results of the run with an error. */
export type ErrorGroup = z.output<typeof ErrorGroup>;

/** The most frequent errors of a run. */
export async function findErrors(db: Db, runId: string, limit: number): Promise<ErrorGroup[]> {
  return readRows(
    db,
    ErrorGroup,
    `select coalesce(error, 'Unknown reason') as error, error_code as code, count(*)::integer as results, array_agg(distinct path) as paths,
            (sum(count(*)) over ())::integer as total
     from page_results where test_run_id = :runId and review_rank = :rank
     group by 1, 2 order by results desc, error limit :limit`,
    { runId, rank: rankSection('error'), limit },
  );
}

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
    .select(SETTLED_COLUMNS);
}

/** The results that settled last, in order. */
export async function findLastSettled(db: Db, runId: string, limit: number): Promise<SettledResult[]> {
  const results = await settled(db, runId)
    .whereNotNull('settled_number')
    .orderBy('settled_number', 'desc')
    .limit(limit)
    .select(SETTLED_COLUMNS);
  return results.toReversed();
}
