import { qualified } from '../../db/qualified.ts';

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
    'error',
    'capture_engine',
    'compare_engine',
    'created_at',
    'updated_at',
  ]),
  'page_results.approved_by as approved_by_id',
] as const;
