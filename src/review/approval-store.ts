import type { Db } from '../db/database.ts';
import { approvableSql } from './approvable-sql.ts';

/** The time of the change itself, not of a transaction that may have waited for the one before it. */
const now = (db: Db) => db.raw('clock_timestamp()');

/** Marks results as approved by a person; those approved before keep their first approver. */
export async function markApproved(db: Db, ids: string[], approverId: string): Promise<void> {
  await db('page_results')
    .whereRaw('id = any(?)', [ids])
    .where({ approved: false })
    .update({ approved: true, approved_by: approverId, approved_at: now(db), updated_at: db.fn.now() });
}

/** When it was undone is kept: approvals of the same picture that are older are not carried over any more. */
export async function markUnapproved(db: Db, ids: string[]): Promise<void> {
  await db('page_results')
    .whereRaw('id = any(?)', [ids])
    .where({ approved: true })
    .update({
      approved: false,
      approved_by: null,
      approved_at: null,
      carried_over: false,
      approval_undone_at: now(db),
      updated_at: db.fn.now(),
    });
}

/** Results that a person, or a merge, has made a baseline version of. */
export async function findPromotedResultIds(db: Db, runId: string): Promise<Set<string>> {
  const rows = await db('baseline_versions')
    .join('page_results', 'page_results.id', 'baseline_versions.page_result_id')
    .where({ 'page_results.test_run_id': runId })
    .whereNot({ 'baseline_versions.source': 'INITIAL' })
    .select<{ id: string }[]>('page_results.id');
  return new Set(rows.map((row) => row.id));
}

/**
 * Approves what is the same picture, byte for byte, as one that a person approved in another run of the same suite and
 * pull request, with the name and the time of who did so first. Files are named after their bytes. What was undone
 * since, in whichever run of the pull request, is no approval to go by.
 * @returns how many results.
 */
export async function carryApprovals(db: Db, runId: string): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `with runs as (
       select other.id
       from test_runs as this
       join test_runs as other on other.test_suite_id = this.test_suite_id and other.run_type = 'PR'
         and other.git_owner = this.git_owner and other.git_repo = this.git_repo
         and other.git_pr_number = this.git_pr_number
       where this.id = :runId
     ), earlier as (
       select distinct on (before.path, before.viewport, before.current_file)
              before.path, before.viewport, before.current_file, before.approved_by, before.approved_at
       from page_results as before
       where before.test_run_id in (select id from runs where id <> :runId)
         and before.approved and before.current_file is not null
         and not exists (
           select from page_results as undone
           where undone.test_run_id in (select id from runs) and undone.path = before.path
             and undone.viewport = before.viewport and undone.current_file = before.current_file
             and undone.approval_undone_at > before.approved_at
         )
       order by before.path, before.viewport, before.current_file, before.approved_at
     )
     update page_results set approved = true, approved_by = earlier.approved_by, approved_at = earlier.approved_at,
            carried_over = true, updated_at = now()
     from earlier
     where page_results.test_run_id = :runId and ${approvableSql({ runType: 'PR' })}
       and page_results.path = earlier.path and page_results.viewport = earlier.viewport
       and page_results.current_file = earlier.current_file`,
    { runId },
  );
  return rowCount;
}
