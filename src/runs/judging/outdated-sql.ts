/**
 * A result of the table `page_results` was not compared with the current baseline of its page and viewport, a row of
 * the table `baselines`, and is to be. A person approved a screenshot as it was compared, so that stays, unless there is
 * nothing left to approve.
 */
export const IS_OUTDATED_SQL = `(page_results.status in ('PASS', 'FAIL') and page_results.current_file is not null
  and page_results.baseline_version_id is distinct from baselines.current_version_id
  and (not page_results.approved or page_results.current_file = baselines.file_path))`;
