import type { Db } from '../db/database.ts';

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
