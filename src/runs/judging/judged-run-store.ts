import { z } from 'zod';
import type { Db } from '../../db/database.ts';
import { json } from '../../db/json.ts';
import { readRows } from '../../db/read-rows.ts';
import type { PageRule } from '../../suites/config/page-rule.ts';
import { CHANGED_SQL } from '../results/result-sql.ts';
import type { Run } from '../run.ts';

/**
 * Completed runs, newest first, that wait for a reviewer or in which something was ignored. Merged ones are left out.
 */
export async function findRunsToJudge(db: Db, suiteId: string, limit: number): Promise<{ id: string }[]> {
  return db('test_runs')
    .where({ test_suite_id: suiteId, status: 'COMPLETED', git_merged: false })
    .whereRaw(
      `(test_runs.review_state = 'PENDING' or exists (
         select from page_results where page_results.test_run_id = test_runs.id and page_results.cause = 'IGNORED'
       ))`,
    )
    .orderBy('created_at', 'desc')
    .limit(limit)
    .select('id');
}

/** Unmerged runs with differences that are drift if preview and site are different servers, newest first. */
export async function findDoubtedRuns(db: Db, suiteId: string, limit: number): Promise<{ id: string }[]> {
  return db('test_runs')
    .where({ test_suite_id: suiteId, git_merged: false })
    .whereNot({ status: 'CANCELLED' })
    .whereRaw(
      `exists (select from page_results where page_results.test_run_id = test_runs.id
         and (page_results.servers = 'MAYBE_ONE' or page_results.cause = 'DRIFT'))`,
    )
    .orderBy('created_at', 'desc')
    .limit(limit)
    .select('id');
}

const SAME_MAX = 100;

/**
 * The last runs of other open pull requests of the suite in which a difference that nobody has approved shows the same
 * screenshot as one of the results.
 * @param resultIds null: what changed in the run or is new
 */
export async function findRunsWithSame(
  db: Db,
  run: Pick<Run, 'id' | 'testSuiteId'>,
  resultIds: string[] | null,
): Promise<{ id: string }[]> {
  return readRows(
    db,
    z.object({ id: z.uuid() }),
    `with newest as (
       select distinct on (git_owner, git_repo, git_pr_number) id from test_runs
       where test_suite_id = :suiteId and run_type = 'PR' and not git_merged and status <> 'CANCELLED'
       order by git_owner, git_repo, git_pr_number, created_at desc
     )
     select distinct same.test_run_id as id
     from page_results
     join page_results as same on same.path = page_results.path and same.viewport = page_results.viewport
       and same.current_file = page_results.current_file and same.status = 'FAIL' and not same.approved
     join newest on newest.id = same.test_run_id and newest.id <> page_results.test_run_id
     where page_results.test_run_id = :runId
       and (page_results.id = any(:resultIds::uuid[])
         or (:resultIds::uuid[] is null and (${CHANGED_SQL} or page_results.is_new)))
     limit :limit`,
    { runId: run.id, suiteId: run.testSuiteId, resultIds, limit: SAME_MAX },
  );
}

export async function setRunRules(
  db: Db,
  { id, config }: Pick<Run, 'id' | 'config'>,
  rules: PageRule[],
): Promise<void> {
  await db('test_runs')
    .where({ id })
    .update({ config: json({ ...config, rules }) });
}

export async function setJudgeAgain(db: Db, id: string): Promise<void> {
  await db('test_runs').where({ id }).update({ judge_again: true });
}

/** Clears the mark. True if it was set. */
export async function takeJudgeAgain(db: Db, id: string): Promise<boolean> {
  return (await db('test_runs').where({ id, judge_again: true }).update({ judge_again: false })) === 1;
}
