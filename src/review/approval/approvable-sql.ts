import { CHANGED_SQL } from '../../runs/results/result-sql.ts';
import type { Run } from '../../runs/run.ts';
import { isDecidable, isInBase } from '../../runs/run.ts';

/** The SQL form of `isApprovable`, for the table `page_results`. The caller passes the type of the run. */
export function approvableSql({ runType }: Pick<Run, 'runType'>): string {
  const isNew = runType === 'MANUAL' ? 'false' : "(page_results.status = 'PASS' and page_results.is_new)";
  return `(not page_results.approved and page_results.current_file is not null
           and (${CHANGED_SQL} or ${isNew}))`;
}

/**
 * The approval can still be undone: it has not become a baseline version, and the pull request is not in its base branch. Keep this
 * in line with `undoApproval`. The binding is the run's id.
 */
export function undoableSql(run: Pick<Run, 'runType' | 'isMerged' | 'isGated' | 'status'>): string {
  const canUndo = run.runType === 'PR' && !isInBase(run) && isDecidable(run.status);
  return `(${canUndo} and page_results.approved and page_results.id not in (
    select page_result_id from baseline_versions
    where test_run_id = ? and page_result_id is not null and source <> 'INITIAL'
  ))`;
}
