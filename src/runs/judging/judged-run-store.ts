import type { Db } from '../../db/database.ts';
import { json } from '../../db/json.ts';
import type { PageRule } from '../../suites/page-rule.ts';
import type { Run } from '../run.ts';

/**
 * Completed runs, newest first, that wait for a reviewer or in which something was ignored. What is merged is history.
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

/** True when it was set; it no longer is. */
export async function takeJudgeAgain(db: Db, id: string): Promise<boolean> {
  return (await db('test_runs').where({ id, judge_again: true }).update({ judge_again: false })) === 1;
}
