import type { Db } from '../../db/database.ts';
import { approvableSql } from './approvable-sql.ts';

/** Not `now()`: that is the start of the transaction, which may have waited for another approval to commit. */
const now = (db: Db) => db.raw('clock_timestamp()');

/** Marks results as approved by a person. Results that are already approved keep their first approver. */
export async function markApproved(db: Db, ids: string[], approverId: string): Promise<void> {
  await db('page_results')
    .whereRaw('id = any(?)', [ids])
    .where({ approved: false })
    .update({ approved: true, approved_by: approverId, approved_at: now(db), updated_at: db.fn.now() });
}

/** Makes a FAIL result hold the gate, for good. False when it does already, or is no FAIL. */
export async function markAsChange(db: Db, id: string): Promise<boolean> {
  const changed = await db('page_results').where({ id, status: 'FAIL' }).whereNot({ cause: 'CHANGE' }).update({
    cause: 'CHANGE',
    cause_pr_number: null,
    cause_version: null,
    counted_as_change: true,
    updated_at: db.fn.now(),
  });
  return changed === 1;
}

/** Stores the time of the undo, so that older approvals of the same screenshot are no longer carried over. */
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

/** Results that became a baseline version by an approval, by a merge or through the API. */
export async function findPromotedResultIds(db: Db, runId: string): Promise<Set<string>> {
  const rows = await db('baseline_versions')
    .join('page_results', 'page_results.id', 'baseline_versions.page_result_id')
    .where({ 'page_results.test_run_id': runId })
    .whereNot({ 'baseline_versions.source': 'INITIAL' })
    .select('page_results.id');
  return new Set(rows.map((row) => row.id));
}

/**
 * Approves each screenshot that has the same bytes as one approved in another run of the same suite and pull request, or of
 * one of the pull requests that were merged into it.
 * Files are named after their bytes. Approver and time come from the first such approval. An approval that was undone
 * later, in any run of the pull request, does not count.
 * @returns how many results were approved.
 */
export async function carryApprovals(db: Db, runId: string, mergedInto: readonly number[]): Promise<number> {
  const { rowCount } = await db.raw(
    `with runs as (
       select other.id
       from test_runs as this
       join test_runs as other on other.test_suite_id = this.test_suite_id and other.run_type = 'PR'
         and other.git_owner = this.git_owner and other.git_repo = this.git_repo
         and (other.git_pr_number = this.git_pr_number or other.git_pr_number = any(:mergedInto))
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
    { runId, mergedInto: [...mergedInto] },
  );
  return rowCount ?? 0;
}
