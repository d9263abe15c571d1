import { z } from 'zod';
import { computed, hasAll, qualified, readValues, type Db } from '../../db/database.ts';
import { json } from '../../db/json.ts';
import type { JobPayloads } from '../../queue/job-kinds.ts';
import { INSTALLATION_ID_SQL } from '../../runs/run-sql.ts';
import { inFlightSql } from '../../runs/run.ts';
import { PULL_REQUEST_RUN_COLUMNS, toPullRequestRun, type PullRequestRun } from '../pull-request-run.ts';
import { CHECK_RESULT_COLUMNS, type CheckResult, type CheckShown } from './check.ts';

/** GitHub has not been told of the run's last change. */
const IS_OUTDATED_SQL = 'test_runs.updated_at > test_runs.check_shown_at';

/** The columns of a pull request's run that describe its check. */
export async function findCheckRow(db: Db, runId: string) {
  return db('test_runs')
    .join('test_suites', 'test_suites.id', 'test_runs.test_suite_id')
    .where({ 'test_runs.id': runId, 'test_runs.run_type': 'PR' })
    .first(
      'git_owner as owner',
      'git_repo as repo',
      'git_head_sha as head_sha',
      'check_name',
      'total_results',
      'check_shown',
      'check_problem',
      'git_preview_search as search',
      computed(db, 'read_at', 'timestamptz', 'now()'),
      computed(db, 'installation_id', 'bigint or null', INSTALLATION_ID_SQL),
    );
}

/** The suite's last attempts at the other heads of the pull request, the newest first. */
export async function findEarlierAttempts(
  db: Db,
  { testSuiteId, owner, repo, number, headSha }: PullRequestRun,
): Promise<PullRequestRun[]> {
  const rows = await db('test_runs')
    .distinctOn('git_head_sha')
    .where({ run_type: 'PR', test_suite_id: testSuiteId, git_owner: owner, git_repo: repo, git_pr_number: number })
    .whereNot({ git_head_sha: headSha })
    .orderBy([{ column: 'git_head_sha' }, { column: 'git_attempt', order: 'desc' }])
    .select(PULL_REQUEST_RUN_COLUMNS);
  return rows.map(toPullRequestRun).toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
}

/** Whether the run or one of its results has changed since GitHub was told. A judgment changes results before it ends. */
export async function isCheckOutdated(db: Db, runId: string): Promise<boolean> {
  const row = await db('test_runs')
    .where({ id: runId })
    .whereRaw(
      `(${IS_OUTDATED_SQL} or exists (
         select from page_results
         where page_results.test_run_id = test_runs.id and page_results.updated_at > test_runs.check_shown_at
       ))`,
    )
    .first('id');
  return row !== null;
}

/** In the order of the run, without those that the pull request leaves out. */
export async function findCheckResults(db: Db, runId: string): Promise<CheckResult[]> {
  return db('page_results')
    .leftJoin('users as approver', 'approver.id', 'page_results.approved_by')
    .where({ test_run_id: runId, left_out: false })
    .orderBy('position')
    .select(
      ...qualified('page_results', CHECK_RESULT_COLUMNS),
      'cause_pr_number as cause_pull_request',
      'change_ids',
      'carried_over',
      'approver.name as approver_name',
    );
}

/**
 * Does not set `updated_at`, which is the time of the last change that the check must show.
 * @param also.shownAt when the run was read; a later change of it still has to be sent
 */
export async function keepCheckShown(
  db: Db,
  runId: string,
  shown: CheckShown,
  also: { shownAt?: Date; checkRunId?: number } = {},
): Promise<void> {
  await db('test_runs')
    .where({ id: runId })
    .update({ check_shown: json(shown), check_shown_at: also.shownAt, git_check_run_id: also.checkRunId });
}

export async function setCheckProblem(db: Db, runId: string, problem: string | null): Promise<void> {
  await db('test_runs').where({ id: runId }).update({ check_problem: problem, updated_at: db.fn.now() });
}

/** Newer changes still have their own job. A check that GitHub refused is retried after an hour, for up to a week. */
const STALE = { settleSeconds: 60, retrySeconds: 3_600, maxAgeSeconds: 7 * 86_400, count: 1_000 };

/**
 * Runs whose check is out of date, longest waiting first: it was never created, it is open although the run has ended,
 * or the run changed later. A check that GitHub refused is retried from time to time, except for cancelled runs.
 * @param isAtOnce includes what changed, or was refused, a moment ago
 */
export async function findStaleCheckRunIds(db: Db, isAtOnce: boolean): Promise<string[]> {
  return readValues(
    db,
    z.string(),
    `select id from test_runs
     where run_type = 'PR'
       and created_at > now() - make_interval(secs => :maxAgeSeconds)
       and updated_at < now() - make_interval(secs => :settleSeconds)
       and case check_shown ->> 'state'
         when 'shown' then ${IS_OUTDATED_SQL}
           or (not ${inFlightSql('status')} and check_shown ->> 'status' <> 'completed')
         when 'gone' then status <> 'CANCELLED' and check_shown_at < now() - make_interval(secs => :retrySeconds)
         else true
       end
     order by updated_at
     limit :count`,
    isAtOnce ? { ...STALE, settleSeconds: 0, retrySeconds: 0 } : STALE,
  );
}

/** The run of a GitHub check: found by the check's number, else by the run id that we sent as its external id. */
export async function findRunIdOfCheck(
  db: Db,
  check: { owner: string; repo: string; checkRunId: number; runId: string | null },
): Promise<string | null> {
  const rows = await db('test_runs')
    .where({ run_type: 'PR', git_owner: check.owner, git_repo: check.repo })
    .where((either) => {
      void either.where({ git_check_run_id: check.checkRunId });
      if (check.runId !== null) void either.orWhere({ id: check.runId });
    })
    .orderByRaw('git_check_run_id = ? desc nulls last', [check.checkRunId])
    .limit(1)
    .select('id');
  return rows[0]?.id ?? null;
}

/**
 * Checks that would stay open for ever once the suite's runs are deleted: those that are not completed, and those that
 * wait for a review at the head of an open pull request.
 */
export async function findOpenChecks(db: Db, suiteId: string): Promise<JobPayloads['end-check'][]> {
  const rows = await db('test_runs')
    .join('test_suites', 'test_suites.id', 'test_runs.test_suite_id')
    .where({ 'test_suites.id': suiteId, 'test_runs.run_type': 'PR' })
    .whereRaw(
      `coalesce(test_runs.check_shown ->> 'state', 'creating') <> 'gone'
       and (
         coalesce(test_runs.check_shown ->> 'status', 'queued') <> 'completed'
         or (test_runs.check_shown ->> 'conclusion' = 'action_required' and exists (
           select from pull_requests as pulls
           where pulls.owner = test_runs.git_owner and pulls.repo = test_runs.git_repo and pulls.number = test_runs.git_pr_number
             and pulls.head_sha = test_runs.git_head_sha and pulls.state = 'OPEN'
         ))
       )`,
    )
    .select(
      'test_runs.id as run_id',
      'git_owner as owner',
      'git_repo as repo',
      'git_head_sha as head_sha',
      'check_name as name',
      'git_check_run_id as check_run_id',
      computed(db, 'installation_id', 'bigint or null', INSTALLATION_ID_SQL),
    );
  return rows.filter((row) => hasAll(row, 'owner', 'repo', 'headSha', 'name', 'installationId'));
}
