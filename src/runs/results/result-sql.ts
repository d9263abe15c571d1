import { qualified } from '../../db/database.ts';
import type { SelectedRow } from '../../db/query.ts';

/** The SQL form of `isChanged`. */
export const CHANGED_SQL = "(page_results.status = 'FAIL' and coalesce(page_results.cause, 'CHANGE') = 'CHANGE')";

const SHORT_COLUMNS = [
  ...qualified('page_results', [
    'id',
    'test_run_id',
    'url',
    'path',
    'viewport',
    'status',
    'approved',
    'approved_at',
    // The number of the last verdict on it in its run; 0 when there was none.
    'verdict_number',
    // A reviewer requested changes and has not withdrawn that.
    'changes_requested',
    'is_new',
    'current_file',
    'baseline_file',
    'diff_file',
    // Percentage of differing pixels, 4 decimals; null when nothing was compared.
    'diff_score',
    // Null for a PASS without a difference, and for an unsettled result.
    'cause',
    // The version of the baseline that the screenshot looks like (BEHIND).
    'cause_version',
    // Null before the capture, and where a proof replaces it.
    'stability',
    // The outcome of the proof. Null: it was not tried.
    'proof',
    // Whether every difference is one that a person would hardly see.
    'faint',
    // Whether the screenshot does not show the whole page.
    'cut',
    // A screenshot of the suite's own site, taken when this one differed.
    'control_file',
    // Null: not asked, or it makes no difference.
    'servers',
    // Groups that the result's changes belong to (`result_changes.change_key`).
    'change_ids',
    // How what assistive technology is told differs from the baseline's: the groups of the differences. Null: nothing
    // was compared.
    'heard_ids',
    // The pull request leaves it out, so it was captured and judged with the settings of its base.
    'left_out',
    // The state of a screenshot with the settings of the base: due, taken, or failed. Null: none is needed.
    'base_state',
    // Null: the screenshot itself is also what the settings of the base show.
    'base_file',
    // The outcome with the settings of the base. Null: the same, or unknown.
    'base_status',
    'base_score',
    'base_diff_file',
    'error',
    'created_at',
    'updated_at',
  ]),
  'page_results.approved_by as approved_by_id',
  // Whose change it is (FROM_PULL_REQUEST), or the pull request whose merge the branch lacks (BEHIND, if it was one).
  'page_results.cause_pr_number as cause_pull_request',
] as const;

/** The columns of a `PageResult`. */
export const RESULT_COLUMNS = [
  ...SHORT_COLUMNS,
  ...qualified('page_results', [
    'baseline_version_id',
    // Where the screenshots differ, in px of the diff image. Null: nothing was compared.
    'diff_regions',
    // A person said that the difference is a change, even if something else would explain it.
    'counted_as_change',
    // How many screenshots were taken before one was accepted.
    'screenshots',
    // Other screenshots that loads of the page have shown in the same capture, by their names. Null: none.
    'also_seen',
    // What the server returned. Null if it is not needed.
    'served',
    // Whether the screenshot was taken of a page at rest.
    'at_rest',
    // How a page that does not always look the same was captured. Null before the capture, and where a proof replaces it.
    'capture_way',
    // Whether a control screenshot is due, was taken or failed. Null: none is needed.
    'control_state',
    // The element map of the control screenshot; null when that has the baseline's bytes.
    'control_elements_file',
    // What the server of the suite's own site returned.
    'control_served',
    // The suite's own site no longer looked like the baseline.
    'drifted',
    // The element map of the screenshot; null when it has the baseline's bytes.
    'elements_file',
    // What the page was made of. Null if unknown.
    'manifest_file',
    // What assistive technology is told about the page, and about the suite's own site. Null: it was not read.
    'heard_file',
    'control_heard_file',
    // A hash of the differences in `heard_ids`, where they hold the gate. Null: they don't, or there are none.
    'heard_key',
    // Both images on the canvas of the diff image; null when nothing moved.
    'aligned_baseline_file',
    'aligned_current_file',
    // What only moved.
    'moves',
    // Areas whose pixels did not count, in px of the diff image.
    'ignored_boxes',
    'base_elements_file',
    // What a reviewer should know about the screenshots. There are other fields for a cut or unstable one.
    'warnings',
    // Null: no error, or nothing is known about it.
    'error_code',
    'capture_engine',
    'compare_engine',
  ]),
] as const;

export const LISTED_COLUMNS = [...SHORT_COLUMNS, 'page_results.position'] as const;
/** A result in a list. */
export type ListedResult = SelectedRow<'page_results', typeof LISTED_COLUMNS>;

/** What the list of newly settled results shows. */
export const SETTLED_COLUMNS = [
  'id',
  'path',
  'viewport',
  'status',
  'is_new',
  'diff_score',
  'cause',
  'error',
  'current_file',
  // In the order in which the run's results settled, from 1.
  'settled_number',
] as const;

/**
 * A result of the table `page_results` must be compared with the current baseline of its page and viewport, a row of
 * the table `baselines`. Approved results are kept as they were compared, unless there is nothing left to approve.
 */
export const IS_OUTDATED_SQL = `(page_results.status in ('PASS', 'FAIL') and page_results.current_file is not null
  and page_results.baseline_version_id is distinct from baselines.current_version_id
  and (not page_results.approved or page_results.current_file = baselines.file_path))`;
