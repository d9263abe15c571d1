import { z } from 'zod';
import { computed, given, joinSql, readRow, readRows, type Db, type Sql } from '../../db/database.ts';
import type { TimePart, TimePlace } from '../../db/list-part.ts';
import { REVIEWED_SUITES_SQL, SHARED_SUITES_SQL } from '../../suites/readable-sql.ts';
import { ASSIGNED_RUNS_SQL, ASSIGNEES_SQL, readAssigneesJson } from '../assignees/assignee-sql.ts';
import { RUN_SUMMARY_COLUMNS } from '../run-sql.ts';
import { toRunSummary, type RunSummary } from '../run.ts';
import { searchSql } from '../search/run-search.ts';
import type { Person, RunFilter, RunScope, RunWithSuite } from './run-list.ts';

/** What follows a condition. */
function matching(filter: RunFilter, after: TimePlace | null = null): Sql {
  const conditions: Sql[] = [
    ['', []],
    ...given('status = any(?)', filter.statuses && [...filter.statuses]),
    ...given('review_state = ?', filter.reviewState),
    ...(filter.isGated === undefined ? [] : [['git_gated', []] satisfies Sql]),
    ...given('run_type = ?', filter.runType),
    ...given('git_branch = ?', filter.branch),
    ...given('started_by = ?', filter.startedById),
    ...given(`id in (${ASSIGNED_RUNS_SQL})`, filter.assigneeId),
    ...given('number = ?', filter.number),
    ...given('git_pr_number = ?', filter.pullRequest),
    ...given('git_head_sha ilike ?', filter.headSha === undefined ? undefined : `${filter.headSha}%`),
    ...(filter.search === undefined ? [] : [searchSql(filter.search)]),
    ...(after === null ? [] : [['(created_at, id) < (?::timestamptz, ?::uuid)', [...after]] satisfies Sql]),
  ];
  return joinSql(conditions, ' and ');
}

/** The viewer of a scope, and the ids of other people's suites in it. The viewer is the only binding. */
function sharedSuites(scope: Exclude<RunScope, { suite: unknown }>): { viewerId: string; sharedSql: string } {
  return 'readableBy' in scope
    ? { viewerId: scope.readableBy.id, sharedSql: SHARED_SUITES_SQL }
    : { viewerId: scope.reviewableBy.id, sharedSql: REVIEWED_SUITES_SQL };
}

const NEWEST_FIRST = 'order by created_at desc, id desc';

/**
 * The ids of one part. For the viewer's own suites, and for each shared one, it reads no more runs than the part has.
 * The limit is part of the SQL text, because a plan for any limit would expect a tenth of the table.
 */
export function partSql(scope: RunScope, filter: RunFilter, { limit, offset = 0, after = null }: TimePart): Sql {
  const newest = (of: string, bound: string[], most: number): Sql => {
    const [condition, bindings] = matching(filter, after);
    const sql = `select id, created_at from test_runs where ${of}${condition} ${NEWEST_FIRST} limit ${most}`;
    return [sql, [...bound, ...bindings]];
  };
  if ('suite' in scope) {
    const [sql, bindings] = newest('test_suite_id = ?', [scope.suite.id], limit);
    return [`${sql} offset ${offset}`, bindings];
  }
  const { viewerId, sharedSql } = sharedSuites(scope);
  const [own, ofOwn] = newest('owner_id = ?', [viewerId], limit + offset);
  const [shared, ofShared] = newest('test_suite_id = shared.id', [], limit + offset);
  return [
    `select id, created_at from (
       (${own})
       union all
       (select run.id, run.created_at from (${sharedSql}) as shared
        cross join lateral (${shared}) as run)
     ) as readable ${NEWEST_FIRST} limit ${limit} offset ${offset}`,
    [...ofOwn, viewerId, ...ofShared],
  ];
}

/** Newest first. */
export async function findRuns(db: Db, scope: RunScope, filter: RunFilter, part: TimePart): Promise<RunWithSuite[]> {
  return findListed(db, partSql(scope, filter, part));
}

/** The runs whose ids the statement selects, newest first. */
async function findListed(db: Db, [sql, bindings]: Sql): Promise<RunWithSuite[]> {
  const rows = await db('test_runs')
    .join('test_suites', 'test_suites.id', 'test_runs.test_suite_id')
    .whereRaw(`test_runs.id in (select id from (${sql}) as part)`, bindings)
    .orderBy('test_runs.created_at', 'desc')
    .orderBy('test_runs.id', 'desc')
    .select([
      ...RUN_SUMMARY_COLUMNS,
      'test_suites.name as suite_name',
      'test_suites.base_url as suite_base_url',
      computed(db, 'listed_at', 'text', 'test_runs.created_at'),
      computed(db, 'assignees', 'text', ASSIGNEES_SQL),
    ]);
  return rows.map(({ suiteName, suiteBaseUrl, listedAt, assignees, ...row }) => ({
    ...toRunSummary(row),
    testSuite: { id: row.testSuiteId, name: suiteName, baseUrl: suiteBaseUrl },
    assignees: readAssigneesJson(assignees),
    place: [listedAt, row.id],
  }));
}

const Listed = z.object({ list: z.string(), id: z.string() });

/**
 * The runs of several lists, in two statements.
 * @param lists for each, a statement that selects ids in order
 */
export async function findLists<Name extends string>(
  db: Db,
  lists: Record<Name, Sql>,
): Promise<Record<Name, RunWithSuite[]>>;
export async function findLists(db: Db, lists: Record<string, Sql>): Promise<Record<string, RunWithSuite[]>> {
  const entries = Object.entries(lists);
  const selects = entries.map(([name, [sql, bindings]]): Sql => {
    return [`(select '${name}' as list, id from (${sql}) as ${name})`, bindings];
  });
  const listed = await readRows(db, Listed, ...joinSql(selects, ' union all '));
  const ids = [...new Set(listed.map(({ id }) => id))];
  const runs = ids.length === 0 ? [] : await findListed(db, ['select unnest(?::uuid[]) as id', [ids]]);
  const byId = new Map(runs.map((run) => [run.id, run]));
  return Object.fromEntries(
    entries.map(([name]) => [name, listed.flatMap((each) => (each.list === name ? (byId.get(each.id) ?? []) : []))]),
  );
}

const Counts = z.object({ counts: z.array(z.number()) });

function countSql(scope: RunScope, filter: RunFilter): Sql {
  const count = (of: string, bound: string[]): Sql => {
    const [condition, bindings] = matching(filter);
    return [`(select count(*) from test_runs where ${of}${condition})`, [...bound, ...bindings]];
  };
  if ('suite' in scope) return count('test_suite_id = ?', [scope.suite.id]);
  const { viewerId, sharedSql } = sharedSuites(scope);
  const [own, ofOwn] = count('owner_id = ?', [viewerId]);
  if (filter.search === undefined) {
    const [shared, ofShared] = count(`test_suite_id in (${sharedSql})`, [viewerId]);
    return [`${own} + ${shared}`, [...ofOwn, ...ofShared]];
  }
  const [shared, ofShared] = count('test_suite_id = shared.id', []);
  return [
    `${own} + coalesce((select sum(${shared}) from (${sharedSql}) as shared), 0)`,
    [...ofOwn, ...ofShared, viewerId],
  ];
}

/** How many runs match each filter in its scope, answered by indexes alone. */
export async function countRuns(db: Db, lists: [RunScope, RunFilter][]): Promise<number[]> {
  const [selected, bindings] = joinSql(
    lists.map(([scope, filter]) => countSql(scope, filter)),
    ', ',
  );
  const { counts } = await readRow(
    db,
    Counts,
    `select array[${selected}]::integer[] as counts`,
    bindings,
    lists.some(([, { search, headSha }]) => (search ?? headSha) !== undefined) ? 'by values' : 'once',
  );
  return counts;
}

/** The newest runs of each suite, newest first, in one query. `cancelled`: also those that were cancelled. */
export async function findNewestRuns(
  db: Db,
  suiteIds: string[],
  { perSuite, cancelled }: { perSuite: number; cancelled: boolean },
): Promise<RunSummary[]> {
  const rows = await db('test_runs')
    .whereRaw(
      `test_runs.id in (
         select newest.id from unnest(?::uuid[]) as suite (id)
         cross join lateral (
           select id from test_runs where test_suite_id = suite.id and (? or status <> 'CANCELLED') ${NEWEST_FIRST} limit ?
         ) as newest
       )`,
      [suiteIds, cancelled, perSuite],
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .select(RUN_SUMMARY_COLUMNS);
  return rows.map(toRunSummary);
}

export async function countRunsOfSuites(db: Db, suiteIds: string[]): Promise<Map<string, number>> {
  const rows = await db('test_runs')
    .whereRaw('test_suite_id = any(?)', [suiteIds])
    .groupBy('test_suite_id')
    .select('test_suite_id', computed(db, 'count', 'bigint', 'count(*)'));
  return new Map(rows.map((row) => [row.testSuiteId, row.count]));
}

const NAME = 'coalesce(users.name, users.email)';

export async function findPeople(db: Db, ids: string[]): Promise<Person[]> {
  return db('users')
    .whereRaw('id = any(?)', [ids])
    .select('id', computed(db, 'name', 'text', NAME));
}

/** The people who started the newest runs of the scope, by name. Only a limited number of runs is read. */
export async function findStarters(db: Db, scope: RunScope, runs: number): Promise<Person[]> {
  const [newest, bindings] = partSql(scope, {}, { limit: runs });
  return db('users')
    .whereRaw(`id in (select started_by from test_runs where id in (select id from (${newest}) as newest))`, bindings)
    .orderByRaw(`lower(${NAME}), id`)
    .limit(100)
    .select('id', computed(db, 'name', 'text', NAME));
}
