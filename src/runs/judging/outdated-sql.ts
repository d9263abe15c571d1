/**
 * A result of the table `page_results` must be compared with the current baseline of its page and viewport, a row of
 * the table `baselines`. Approved results are kept as they were compared, unless there is nothing left to approve.
 */
export const IS_OUTDATED_SQL = `(page_results.status in ('PASS', 'FAIL') and page_results.current_file is not null
  and page_results.baseline_version_id is distinct from baselines.current_version_id
  and (not page_results.approved or page_results.current_file = baselines.file_path))`;
