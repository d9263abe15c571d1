import type { Run } from '../runs/run.ts';
import { isDecidable } from '../runs/run.ts';

/** `isApprovable`, asked of the table `page_results`; the caller knows the type of the run. */
export function approvableSql({ runType }: Pick<Run, 'runType'>): string {
  const isNew = runType === 'MANUAL' ? 'false' : "(page_results.status = 'PASS' and page_results.is_new)";
  return `(not page_results.approved and page_results.current_file is not null
           and (page_results.status = 'FAIL' or ${isNew}))`;
}

/**
 * The approval can still be taken back: no baseline version came from it yet, nor will at the merge; `undoApproval` has
 * the same rule. The binding is the run's id.
 */
export function undoableSql({ runType, isMerged, status }: Pick<Run, 'runType' | 'isMerged' | 'status'>): string {
  const canUndo = runType === 'PR' && !isMerged && isDecidable(status);
  return `(${canUndo} and page_results.approved and page_results.id not in (
    select page_result_id from baseline_versions
    where test_run_id = ? and page_result_id is not null and source <> 'INITIAL'
  ))`;
}
