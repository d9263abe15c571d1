import { z } from 'zod';
import { computed, prepared, readRows, type Db } from '../../db/database.ts';
import type { ListPart } from '../../db/list-part.ts';
import { FAILURE_CODES } from '../../net/failure-code.ts';
import { LISTED_COLUMNS, SETTLED_COLUMNS, type ListedResult } from './result-sql.ts';
import {
  rankSection,
  RESULT_STATUSES,
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

/** A screenshot that stands for a run in a list. */
const Shot = z.object({
  id: z.string(),
  testRunId: z.string(),
  status: z.enum(RESULT_STATUSES),
  currentFile: z.string().nullable(),
});
export type Shot = z.output<typeof Shot>;

/** The ranks of results that have a screenshot. */
const SHOWN = (['changed', 'new', 'uncounted', 'passed'] as const).map(rankSection);

/** Results without a screenshot are skipped, but no more of them than this: a run can have thousands. */
const LOOKED_AT = 24;

/**
 * What a review of each run shows first: at most `each` screenshots of every run. Ranks whose results have no
 * screenshot are left out, so that the index of the review's order can be used.
 */
export async function findRunShots(db: Db, runIds: string[], each: number): Promise<Shot[]> {
  return readRows(
    db,
    Shot,
    `select shot.* from unnest(:runIds::uuid[]) as run (id)
     cross join lateral (
       select found.id, found.test_run_id, found.status, found.current_file
       from unnest(array[${SHOWN.join(', ')}]) as rank
       cross join lateral (
         select id, test_run_id, status, current_file, review_rank, review_weight, position from page_results
         where test_run_id = run.id and review_rank = rank
         order by review_weight, position limit ${LOOKED_AT}
       ) as found
       where found.current_file is not null
       order by found.review_rank, found.review_weight, found.position limit :each
     ) as shot`,
    { runIds, each },
  );
}

const Cover = z.object({ testSuiteId: z.string(), filePath: z.string() });

/** The current baseline of each suite's first page, which is usually its home page. */
export async function findCovers(db: Db, suiteIds: string[]): Promise<z.output<typeof Cover>[]> {
  return readRows(
    db,
    Cover,
    `select cover.* from unnest(?::uuid[]) as suite (id)
     cross join lateral (
       select test_suite_id, file_path from baselines where test_suite_id = suite.id order by path, viewport limit 1
     ) as cover`,
    [suiteIds],
  );
}
