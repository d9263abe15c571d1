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
    'is_new',
    'current_file',
    'baseline_file',
    'baseline_version_id',
    'diff_file',
    'diff_score',
    'diff_regions',
    'cause',
    'counted_as_change',
    'stability',
    'screenshots',
    'faint',
    'cut',
    'at_rest',
    'control_file',
    'control_state',
    'control_elements_file',
    'drifted',
    'elements_file',
    'aligned_baseline_file',
    'aligned_current_file',
    'moves',
    'change_ids',
    'ignored_boxes',
    'error',
    'capture_engine',
    'compare_engine',
    'created_at',
    'updated_at',
  ]),
  'page_results.approved_by as approved_by_id',
] as const;
