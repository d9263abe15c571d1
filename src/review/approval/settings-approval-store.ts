import type { Db } from '../../db/database.ts';

/** Approves what the run's pull request loosens. An earlier approver is kept. */
export async function markSettingsApproved(db: Db, runId: string, approverId: string): Promise<void> {
  await db('test_runs')
    .where({ id: runId, settings_approved_at: null })
    .update({
      settings_approved_by: approverId,
      settings_approved_at: db.raw('clock_timestamp()'),
      updated_at: db.fn.now(),
    });
}

/** Stores the time of the undo, so that older approvals of the same are no longer carried over. */
export async function markSettingsUnapproved(db: Db, runId: string): Promise<void> {
  await db('test_runs')
    .where({ id: runId })
    .update({
      settings_approved_by: null,
      settings_approved_at: null,
      settings_carried_over: false,
      settings_undone_at: db.raw('clock_timestamp()'),
      updated_at: db.fn.now(),
    });
}

/**
 * Approves what the run's pull request loosens if exactly that was approved in an earlier run of it, or of one of the pull
 * requests that were merged into it, and nobody undid that later.
 * @returns whether it was.
 */
export async function carrySettingsApproval(db: Db, runId: string, mergedInto: readonly number[]): Promise<boolean> {
  const { rowCount } = await db.raw(
    `with same as (
       select other.settings_approved_by, other.settings_approved_at, other.settings_undone_at
       from test_runs as this
       join test_runs as other on other.test_suite_id = this.test_suite_id and other.run_type = 'PR'
         and other.git_owner = this.git_owner and other.git_repo = this.git_repo
         and (other.git_pr_number = this.git_pr_number or other.git_pr_number = any(:mergedInto))
         and other.settings_hash = this.settings_hash
       where this.id = :runId and this.settings_approved_at is null
     ), earlier as (
       select settings_approved_by, settings_approved_at from same
       where settings_approved_at > coalesce((select max(settings_undone_at) from same), '-infinity')
       order by settings_approved_at limit 1
     )
     update test_runs set settings_approved_by = earlier.settings_approved_by,
            settings_approved_at = earlier.settings_approved_at, settings_carried_over = true, updated_at = now()
     from earlier where test_runs.id = :runId`,
    { runId, mergedInto: [...mergedInto] },
  );
  return rowCount === 1;
}
