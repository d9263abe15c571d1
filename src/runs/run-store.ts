import { computed } from '../db/computed.ts';
import type { Db } from '../db/database.ts';
import { json } from '../db/json.ts';
import { notNull } from '../db/not-null.ts';
import { qualified } from '../db/qualified.ts';
import { readableSuiteIds } from '../suites/readable-sql.ts';
import type { SuiteConfig } from '../suites/suite-config.ts';
import type { PullRequestKey, ReviewState, Run, RunGit, RunMetadata, RunStatus, RunType } from './run.ts';
import type { RunFilter, RunPart, RunScope, RunWithSuite } from './run-list.ts';
import { DECIDABLE, toRun } from './run.ts';

const COLUMNS = qualified('test_runs', [
  'id',
  'test_suite_id',
  'status',
  'run_type',
  'review_state',
  'target_base_url',
  'build_id',
  'config',
  'git_pr_number',
  'git_head_sha',
  'git_branch',
  'git_base_branch',
  'git_base_number',
  'git_preview_url',
  'git_check_run_id',
  'git_installation_id',
  'git_enqueued',
  'git_merged',
  'git_gated',
  'started_at',
  'ended_at',
  'metadata',
  'created_at',
  'updated_at',
]);

export type RunDraft = {
  testSuiteId: string;
  runType: RunType;
  targetBaseUrl: string;
  buildId: string | null;
  config: SuiteConfig;
  git: RunGit | null;
  startedById: string | null;
};

export async function insertRun(db: Db, draft: RunDraft): Promise<Run> {
  const [row] = await db('test_runs')
    .insert({
      test_suite_id: draft.testSuiteId,
      run_type: draft.runType,
      target_base_url: draft.targetBaseUrl,
      build_id: draft.buildId,
      config: json(draft.config),
      git_pr_number: draft.git?.prNumber ?? null,
      git_head_sha: draft.git?.headSha ?? null,
      git_branch: draft.git?.branch ?? null,
      git_preview_url: draft.git?.previewUrl ?? null,
      started_by: draft.startedById,
    })
    .returning(COLUMNS);
  if (row === undefined) throw new Error('The insert of a test run returned no row');
  return toRun(row);
}

/** Until the transaction ends, no other process can start a run after a merge for the suite. */
export async function lockSuiteRuns(db: Db, suiteId: string): Promise<void> {
  await db.raw("select pg_advisory_xact_lock(hashtextextended('pixelgate runs ' || ?, 0))", [suiteId]);
}

export async function findRun(db: Db, id: string): Promise<Run | null> {
  const row = await db('test_runs').where({ id }).first(COLUMNS);
  return row === undefined ? null : toRun(row);
}

/** Locks the run until the transaction ends, so that its results settle one at a time and it ends once. */
export async function lockRun(db: Db, id: string): Promise<Run | null> {
  const row = await db('test_runs').where({ id }).forUpdate().first(COLUMNS);
  return row === undefined ? null : toRun(row);
}

/** The run's pull request; null for a run of another type and for a deleted run. */
export async function findPullRequestKey(db: Db, runId: string): Promise<PullRequestKey | null> {
  const row = await db('test_runs')
    .where({ id: runId, run_type: 'PR' })
    .first('git_owner as owner', 'git_repo as repo', 'git_pr_number as number');
  return row === undefined ? null : notNull(row, 'owner', 'repo', 'number');
}

/** False when the run had already left `from`: another host or a cancel got there first. */
export async function moveRun(
  db: Db,
  id: string,
  from: RunStatus[],
  to: RunStatus,
  also: { endedAt?: Date | null; metadata?: RunMetadata; reviewState?: ReviewState } = {},
): Promise<boolean> {
  const moved = await db('test_runs')
    .where({ id })
    .whereIn('status', from)
    .update({
      status: to,
      updated_at: db.fn.now(),
      ...(also.endedAt === undefined ? {} : { ended_at: also.endedAt }),
      ...(also.metadata === undefined ? {} : { metadata: json(also.metadata) }),
      ...(also.reviewState === undefined ? {} : { review_state: also.reviewState }),
    });
  return moved === 1;
}

export async function setReviewState(db: Db, id: string, reviewState: ReviewState): Promise<void> {
  await db('test_runs').where({ id }).update({ review_state: reviewState, updated_at: db.fn.now() });
}

/** What the end of a run finds out about the selectors of its rules. */
export async function setUnmatchedSelectors(db: Db, id: string, selectors: string[]): Promise<void> {
  await db('test_runs')
    .where({ id })
    .update({ unmatched_selectors: json(selectors) });
}

/** The selectors of rules that matched nothing in the suite's newest run that ended by itself. */
export async function findNewestUnmatchedSelectors(db: Db, testSuiteId: string): Promise<string[]> {
  const row = await db('test_runs')
    .where({ test_suite_id: testSuiteId })
    .whereIn('status', DECIDABLE)
    .whereNotNull('unmatched_selectors')
    .orderBy('created_at', 'desc')
    .first('unmatched_selectors');
  return row?.unmatchedSelectors ?? [];
}

export async function setTotalResults(db: Db, id: string, total: number): Promise<void> {
  await db('test_runs').where({ id }).update({ total_results: total });
}

export async function findTotalResults(db: Db, id: string): Promise<number> {
  const row = await db('test_runs').where({ id }).first('total_results');
  return row?.totalResults ?? 0;
}

/** Only the status, for a check between two steps of a job; null when the run was deleted. */
export async function findRunStatus(db: Db, id: string): Promise<RunStatus | null> {
  const row = await db('test_runs').where({ id }).first('status');
  return row?.status ?? null;
}

function runsIn(db: Db, scope: RunScope, filter: RunFilter) {
  const query = db('test_runs');
  if ('testSuiteId' in scope) void query.where({ 'test_runs.test_suite_id': scope.testSuiteId });
  else void query.whereIn('test_runs.test_suite_id', readableSuiteIds(db, scope.readableBy));
  if (filter.statuses !== undefined) void query.whereIn('test_runs.status', [...filter.statuses]);
  if (filter.reviewState !== undefined) void query.where({ 'test_runs.review_state': filter.reviewState });
  if (filter.isGated !== undefined) void query.where({ 'test_runs.git_gated': filter.isGated });
  if (filter.runType !== undefined) void query.where({ 'test_runs.run_type': filter.runType });
  return query;
}

export async function countRuns(db: Db, scope: RunScope, filter: RunFilter): Promise<number> {
  const row = await runsIn(db, scope, filter).count({ count: '*' }).first();
  return row?.count ?? 0;
}

/** Newest first. */
export async function findRuns(db: Db, scope: RunScope, filter: RunFilter, part: RunPart): Promise<RunWithSuite[]> {
  const rows = await runsIn(db, scope, filter)
    .join('test_suites', 'test_suites.id', 'test_runs.test_suite_id')
    .orderBy('test_runs.created_at', 'desc')
    .orderBy('test_runs.id', 'desc')
    .limit(part.limit)
    .offset(part.offset)
    .select([
      ...COLUMNS,
      'test_runs.total_results',
      'test_suites.name as suite_name',
      'test_suites.base_url as suite_base_url',
    ]);
  return rows.map((row) => ({
    ...toRun(row),
    testSuite: { id: row.testSuiteId, name: row.suiteName, baseUrl: row.suiteBaseUrl },
    resultCount: row.totalResults,
  }));
}

/** The newest runs of each suite, newest first, in one query. */
export async function findNewestRuns(db: Db, suiteIds: string[], perSuite: number): Promise<Run[]> {
  const numbered = db('test_runs')
    .whereIn('test_suite_id', suiteIds)
    .select(COLUMNS)
    .rowNumber('place', (over) => {
      void over.partitionBy('test_suite_id').orderBy([
        { column: 'created_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ]);
    });
  const rows = await db
    .from(numbered.as('test_runs'))
    .where('place', '<=', perSuite)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .select(COLUMNS);
  return rows.map(toRun);
}

export async function countRunsOfSuites(db: Db, suiteIds: string[]): Promise<Map<string, number>> {
  const rows = await db('test_runs')
    .whereIn('test_suite_id', suiteIds)
    .groupBy('test_suite_id')
    .select('test_suite_id', computed(db, 'count', 'bigint', 'count(*)'));
  return new Map(rows.map((row) => [row.testSuiteId, row.count]));
}

/** How many pages and runs a suite has. */
export async function countContents(db: Db, suiteId: string): Promise<{ pages: number; runs: number }> {
  const row = await db('test_suites')
    .where({ id: suiteId })
    .first(
      computed(db, 'pages', 'bigint', '(select count(*) from site_pages where test_suite_id = test_suites.id)'),
      computed(db, 'runs', 'bigint', '(select count(*) from test_runs where test_suite_id = test_suites.id)'),
    );
  return row ?? { pages: 0, runs: 0 };
}

/** How many suites the viewer may read, without single pages. */
export async function countReadableSuites(db: Db, viewerId: string): Promise<number> {
  const row = await db('test_suites')
    .whereIn('id', readableSuiteIds(db, viewerId))
    .where({ kind: 'SUITE' })
    .count({ count: '*' })
    .first();
  return row?.count ?? 0;
}
