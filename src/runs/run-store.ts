import { toColumns } from '../db/camel-case.ts';
import { computed, lockByName, notNull, prepared, type Db } from '../db/database.ts';
import { json } from '../db/json.ts';
import type { Row } from '../db/row.ts';
import { notFound } from '../errors.ts';
import type { SuiteConfig } from '../suites/config/suite-config.ts';
import type { SuiteFor } from '../suites/suite.ts';
import { ASSIGNEES_SQL, readAssigneesJson } from './assignees/assignee-sql.ts';
import { RUN_COLUMNS } from './run-sql.ts';
import {
  IN_FLIGHT,
  toRun,
  type FoundRun,
  type PullRequestKey,
  type ReviewState,
  type Run,
  type RunMetadata,
  type RunStatus,
} from './run.ts';

type Columns = Omit<
  Row<'test_runs'>,
  | 'number'
  | 'ownerId'
  | 'config'
  | 'checkShown'
  | 'gitConfigChange'
  | 'gitMergeBases'
  | 'gitPreviewSearch'
  | 'metadata'
  | 'searchText'
  | 'unmatchedSelectors'
>;

/** The columns that a new run has beside those that it gets from its suite. */
export type RunDraft = Pick<Columns, 'testSuiteId' | 'runType' | 'targetBaseUrl' | 'trigger'> &
  Partial<Columns> & { config: SuiteConfig };

/**
 * What a new run gets from its suite: the next number, and its owner. The suite's row stays locked until the
 * transaction ends, so that numbers have no gaps and no duplicates.
 */
export async function takeNumber(trx: Db, suiteId: string): Promise<{ number: number; owner_id: string }> {
  const [suite] = await trx('test_suites')
    .where({ id: suiteId })
    .update({ last_run_number: trx.raw('last_run_number + 1') })
    .returning(['last_run_number', 'user_id']);
  if (suite === undefined) throw notFound('Suite');
  return { number: suite.lastRunNumber, owner_id: suite.userId };
}

/** In a transaction. */
export async function insertRun(trx: Db, draft: RunDraft): Promise<Run> {
  const [row] = await trx('test_runs')
    .insert({ ...toColumns(draft, ['config']), ...(await takeNumber(trx, draft.testSuiteId)) })
    .returning(RUN_COLUMNS);
  return toRun(row);
}

/** Until the transaction ends, no other process can start a run after a merge, or of a pull request, for the suite. */
export async function lockSuiteRuns(db: Db, suiteId: string): Promise<void> {
  await lockByName(db, 'runs', suiteId);
}

const CHANGES_SETTINGS = 'exists (select from settings_changes where settings_changes.test_run_id = test_runs.id)';

export async function findRun(db: Db, id: string): Promise<FoundRun | null> {
  const changes = computed(db, 'changes_settings', 'boolean', CHANGES_SETTINGS);
  const assigned = computed(db, 'assignees', 'text', ASSIGNEES_SQL);
  const row = await prepared(db, 'run', db('test_runs').where({ id })).first([...RUN_COLUMNS, changes, assigned]);
  if (row === null) return null;
  const { changesSettings, assignees, ...columns } = row;
  return { ...toRun(columns), changesSettings, assignees: readAssigneesJson(assignees) };
}

/** Whether the suite's own site was ever captured, or is about to be. */
export async function hasSiteRun(db: Db, suiteId: string): Promise<boolean> {
  return (await db('test_runs').where({ test_suite_id: suiteId, run_type: 'MANUAL' }).first('id')) !== null;
}

export async function isSiteRunInFlight(db: Db, suiteId: string): Promise<boolean> {
  const run = await db('test_runs')
    .where({ test_suite_id: suiteId, run_type: 'MANUAL' })
    .whereIn('status', IN_FLIGHT)
    .first('id');
  return run !== null;
}

/** The newest run of the suite's own site that was not cancelled. */
export async function findNewestSiteRun(
  db: Db,
  suiteId: string,
): Promise<Pick<Run, 'status' | 'reviewState' | 'metadata'> | null> {
  return db('test_runs')
    .where({ test_suite_id: suiteId, run_type: 'MANUAL' })
    .whereNot({ status: 'CANCELLED' })
    .orderBy('created_at', 'desc')
    .first('status', 'review_state', 'metadata');
}

/**
 * Locks the run until the transaction ends, so that its results settle one at a time and it ends once. Others may refer to
 * it meanwhile, such as a version that is restored.
 */
export async function lockRun(db: Db, id: string): Promise<Run | null> {
  const row = await db('test_runs').where({ id }).forNoKeyUpdate().first(RUN_COLUMNS);
  return row === null ? null : toRun(row);
}

/** Locks all runs of the suite until the transaction ends, by ID, as everybody who locks several. */
export async function lockRunsOfSuite(trx: Db, suiteId: string): Promise<void> {
  await trx('test_runs').where({ test_suite_id: suiteId }).orderBy('id').forNoKeyUpdate().select('id');
}

/** The run's pull request; null for a run of another type and for a deleted run. */
export async function findPullRequestKey(db: Db, runId: string): Promise<PullRequestKey | null> {
  const row = await db('test_runs')
    .where({ id: runId, run_type: 'PR' })
    .first('git_owner as owner', 'git_repo as repo', 'git_pr_number as number');
  return row === null ? null : notNull(row, 'owner', 'repo', 'number');
}

/** Never before its start, because hosts know the database's time only to a few milliseconds. */
const endedAt = (db: Db, at: Date | null) =>
  at === null ? null : db.raw('greatest(cast(? as timestamptz), created_at, started_at)', [at]);

/** False if the run had already left `from`, because another host or a cancellation was faster. */
export async function moveRun(
  db: Db,
  id: string,
  from: RunStatus[],
  to: RunStatus,
  also: {
    endedAt?: Date | null;
    metadata?: RunMetadata;
    reviewState?: ReviewState | undefined;
    cancelledById?: string | undefined;
  } = {},
): Promise<boolean> {
  const moved = await db('test_runs')
    .where({ id })
    .whereIn('status', from)
    .update({
      status: to,
      updated_at: db.fn.now(),
      ended_at: also.endedAt === undefined ? undefined : endedAt(db, also.endedAt),
      metadata: also.metadata && json(also.metadata),
      review_state: also.reviewState,
      cancelled_by: also.cancelledById,
    });
  return moved === 1;
}

export async function setReviewState(db: Db, id: string, reviewState: ReviewState): Promise<void> {
  await db('test_runs').where({ id }).update({ review_state: reviewState, updated_at: db.fn.now() });
}

/** False when the run has warned already that a login may have replaced its pages. */
export async function claimLoginWarning(db: Db, id: string): Promise<boolean> {
  return (await db('test_runs').where({ id, login_warned: false }).update({ login_warned: true })) === 1;
}

/** What a run captures, and how many tracked pages it leaves out. */
export async function setExtent(db: Db, id: string, extent: { results: number; removedPages: number }): Promise<void> {
  const { results, removedPages } = extent;
  const metadata = removedPages === 0 ? null : json({ removedPages });
  await db('test_runs').where({ id }).update({ total_results: results, metadata });
}

/** The gate of the run, and the parts of the run itself that decide about it, as seen by this transaction. */
export async function findGateOfRun(
  db: Db,
  id: string,
): Promise<Pick<Run, 'reviewState' | 'changeRequests' | 'settingsHash' | 'settingsApprovedAt'>> {
  const row = await db('test_runs')
    .where({ id })
    .first('review_state', 'open_requests as change_requests', 'settings_hash', 'settings_approved_at');
  return (
    row ?? {
      reviewState: 'NOT_REQUIRED',
      changeRequests: 0,
      settingsHash: null,
      settingsApprovedAt: null,
    }
  );
}

/** Only the status, for a check between two steps of a job; null when the run was deleted. */
export async function findRunStatus(db: Db, id: string): Promise<RunStatus | null> {
  const row = await db('test_runs').where({ id }).first('status');
  return row?.status ?? null;
}

/** How many pages and runs a suite has. */
export async function readContents(db: Db, { id }: SuiteFor): Promise<{ pages: number; runs: number }> {
  const row = await db('test_suites')
    .where({ id })
    .first(
      computed(db, 'pages', 'bigint', '(select count(*) from site_pages where test_suite_id = test_suites.id)'),
      computed(db, 'runs', 'bigint', '(select count(*) from test_runs where test_suite_id = test_suites.id)'),
    );
  return row ?? { pages: 0, runs: 0 };
}

/** Locks the run until the transaction ends. False: it is gone, or somebody is changing it. */
export async function lockIdleRun(trx: Db, id: string): Promise<boolean> {
  return (await trx('test_runs').where({ id }).forUpdate().skipLocked().first('id')) !== null;
}

/** With its results, logs, comments and all else that belongs to it. Baseline versions stay. */
export async function deleteRun(trx: Db, id: string): Promise<void> {
  await trx('test_runs').where({ id }).delete();
}
