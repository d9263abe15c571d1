import { STANDING_SQL } from '../../baselines/version-sql.ts';
import { CHANGED_SQL } from '../../runs/results/result-sql.ts';
import type { Run } from '../../runs/run.ts';

/** The SQL form of `isApprovable`, for the table `page_results`. The caller passes the type of the run. */
export function approvableSql({ runType }: Pick<Run, 'runType'>): string {
  const isNew = runType === 'MANUAL' ? 'false' : "(page_results.status = 'PASS' and page_results.is_new)";
  return `(not page_results.approved and page_results.current_file is not null
           and (${CHANGED_SQL} or ${isNew}))`;
}

/** The result needs a decision, and nobody has made one yet. */
export function undecidedSql(run: Pick<Run, 'runType'>): string {
  return `(${approvableSql(run)} and not page_results.changes_requested)`;
}

/** A row of `baseline_versions` is its page's newest version. */
export const NEWEST_SQL = `exists (
  select from baselines where baselines.current_version_id = baseline_versions.id
)`;

/** A later run was compared with this row of `baseline_versions`. A run from before that follows its baseline does not count. */
export const BUILT_ON_SQL = `exists (
  select from page_results as later join test_runs as later_run on later_run.id = later.test_run_id
  where later.baseline_version_id = baseline_versions.id and later_run.created_at > baseline_versions.approved_at
)`;

/**
 * The approval of a result can still be undone: it has not become a baseline version, or the version before it can be
 * restored, because nothing builds on it yet. Keep this in line with `undoApproval`.
 */
export const UNDOABLE_SQL = `(page_results.approved and not exists (
  select from baseline_versions
  where baseline_versions.page_result_id = page_results.id and ${STANDING_SQL}
    and (baseline_versions.version = 1 or not ${NEWEST_SQL} or ${BUILT_ON_SQL})
))`;
