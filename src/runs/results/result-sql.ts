import { qualified } from '../../db/qualified.ts';

/** The SQL form of `isChanged`. */
export const CHANGED_SQL = "(page_results.status = 'FAIL' and coalesce(page_results.cause, 'CHANGE') = 'CHANGE')";

/** The columns of a `PageResult`. */
export const RESULT_COLUMNS = [
  ...qualified('page_results', [
    'id',
    'test_run_id',
    'url',
    'path',
    'viewport',
    'status',
    'approved',
    'approved_at',
    'verdict_number',
    'changes_requested',
    'is_new',
    'current_file',
    'baseline_file',
    'baseline_version_id',
    'diff_file',
    'diff_score',
    'diff_regions',
    'cause',
    'counted_as_change',
    'cause_version',
    'stability',
    'screenshots',
    'also_seen',
    'served',
    'faint',
    'cut',
    'at_rest',
    'capture_way',
    'control_file',
    'control_state',
    'control_elements_file',
    'control_served',
    'drifted',
    'servers',
    'elements_file',
    'manifest_file',
    'heard_file',
    'control_heard_file',
    'heard_ids',
    'heard_key',
    'proof',
    'aligned_baseline_file',
    'aligned_current_file',
    'moves',
    'change_ids',
    'ignored_boxes',
    'left_out',
    'base_state',
    'base_file',
    'base_elements_file',
    'base_status',
    'base_score',
    'base_diff_file',
    'warnings',
    'error',
    'error_code',
    'capture_engine',
    'compare_engine',
    'created_at',
    'updated_at',
  ]),
  'page_results.approved_by as approved_by_id',
  'page_results.cause_pr_number as cause_pull_request',
] as const;

/**
 * A result of the table `page_results` must be compared with the current baseline of its page and viewport, a row of
 * the table `baselines`. Approved results are kept as they were compared, unless there is nothing left to approve.
 */
export const IS_OUTDATED_SQL = `(page_results.status in ('PASS', 'FAIL') and page_results.current_file is not null
  and page_results.baseline_version_id is distinct from baselines.current_version_id
  and (not page_results.approved or page_results.current_file = baselines.file_path))`;
