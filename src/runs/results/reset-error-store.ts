import type { Db } from '../../db/database.ts';
import { json } from '../../db/json.ts';

/** The columns of a result that was never captured. */
export const BLANK_RESULT = {
  status: 'PENDING',
  approved: false,
  approved_by: null,
  approved_at: null,
  is_new: false,
  current_file: null,
  baseline_file: null,
  baseline_version_id: null,
  diff_file: null,
  diff_score: null,
  diff_regions: null,
  cause: null,
  cause_pr_number: null,
  cause_version: null,
  counted_as_change: false,
  stability: null,
  screenshots: null,
  also_seen: null,
  served: null,
  faint: false,
  cut: false,
  at_rest: false,
  capture_way: null,
  control_file: null,
  control_state: null,
  control_elements_file: null,
  control_served: null,
  drifted: false,
  servers: null,
  elements_file: null,
  manifest_file: null,
  heard_file: null,
  control_heard_file: null,
  heard_ids: null,
  heard_key: null,
  aligned_baseline_file: null,
  aligned_current_file: null,
  moves: null,
  change_ids: null,
  ignored_boxes: null,
  base_file: null,
  base_elements_file: null,
  base_status: null,
  base_score: null,
  base_diff_file: null,
  unmatched_selectors: null,
  warnings: json([]),
  error: null,
  error_code: null,
  capture_engine: null,
  compare_engine: null,
  taken_by: null,
  due_at: null,
  attempts: 0,
  deaths: 0,
} as const;

/**
 * Sets the ERROR results of a page, or of the whole run, back to PENDING, as if they had never been captured. They
 * keep their `settledNumber` until they settle again with a new one, so no number is used twice.
 * @returns the path of each result.
 */
export async function resetErrors(
  db: Db,
  runId: string,
  page: { url: string; path: string } | null,
): Promise<string[]> {
  const rows = await db('page_results')
    .where({ test_run_id: runId, status: 'ERROR' })
    .where((same) => {
      if (page !== null) void same.where({ url: page.url }).orWhere({ path: page.path });
    })
    .update({
      ...BLANK_RESULT,
      proof: null,
      // It must be captured again as well.
      base_state: db.raw("case when base_state is not null then 'DUE' end"),
      updated_at: db.fn.now(),
    })
    .returning('path');
  return rows.map((row) => row.path);
}
