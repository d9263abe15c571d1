import type { Db } from '../../db/database.ts';
import { HEAD_FIRST_SQL } from '../run-sql.ts';
import { DECIDABLE, type Run } from '../run.ts';

const MAX_RUNS = 100;

/** Runs of the suite for pull requests of the same repository as this run. */
const runsBesides = (db: Db, { id, testSuiteId }: Pick<Run, 'id' | 'testSuiteId'>) =>
  db('test_runs')
    .join('test_runs as this', (join) =>
      join
        .on('this.git_owner', 'test_runs.git_owner')
        .andOn('this.git_repo', 'test_runs.git_repo')
        .andOnVal('this.id', id),
    )
    .where({ 'test_runs.test_suite_id': testSuiteId, 'test_runs.run_type': 'PR' });

/**
 * Whether the finished run of another pull request's head, or else its newest, shows the same change, or the same new
 * page. A run that gates leaves nothing to one that does not, because nobody would decide about it.
 */
export async function showsSameChange(
  db: Db,
  run: Pick<Run, 'id' | 'testSuiteId' | 'isGated'>,
  number: number,
  change: { path: string; viewport: string; currentFile: string; heardKey: string | null },
): Promise<boolean> {
  const { path, viewport, currentFile, heardKey } = change;
  const newest = await runsBesides(db, run)
    .where({ 'test_runs.git_pr_number': number })
    .whereIn('test_runs.status', DECIDABLE)
    .orderByRaw(HEAD_FIRST_SQL)
    .first('test_runs.id', 'test_runs.git_gated');
  if (newest === null || (run.isGated && !newest.gitGated)) return false;
  const same = await db('page_results')
    .where({ test_run_id: newest.id, path, viewport, current_file: currentFile })
    .whereRaw('heard_key is not distinct from ?', [heardKey])
    .whereRaw(
      `((status = 'FAIL' and coalesce(cause, 'CHANGE') in ('CHANGE', 'FROM_PULL_REQUEST')) or (status = 'PASS' and is_new))`,
    )
    .first('id');
  return same !== null;
}

/** The runs of the heads of the pull requests that are based on this run's, or else their last. Merged ones are left out. */
export async function findRunsAbove(db: Db, run: Pick<Run, 'id' | 'testSuiteId'>, number: number): Promise<string[]> {
  return runsBesides(db, run)
    .where({ 'test_runs.git_base_number': number, 'test_runs.git_merged': false })
    .distinctOn('test_runs.git_pr_number')
    .orderByRaw(`test_runs.git_pr_number, ${HEAD_FIRST_SQL}`)
    .limit(MAX_RUNS)
    .pluck('test_runs.id');
}
