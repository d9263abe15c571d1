import { z } from 'zod';
import { readValues, type Db } from '../../db/database.ts';
import { refusedSql } from '../verdicts/change-request-store.ts';
import { SAME_PULL_REQUEST } from './approval-store.ts';

/** Makes a FAIL result hold the gate permanently. False if it does already, or is not a FAIL. */
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

/**
 * Makes differences hold the gate that somebody counted as changes in the last run with the same screenshot, of the same
 * pull request or of one that was merged into it.
 * @returns how many.
 */
export async function carryCountedChanges(db: Db, runId: string, mergedInto: readonly number[]): Promise<number> {
  const { rowCount } = await db.raw(
    `with earlier as (
       select distinct on (before.path, before.viewport, before.current_file, before.heard_key)
              before.path, before.viewport, before.current_file, before.heard_key, before.counted_as_change
       ${SAME_PULL_REQUEST}
       join page_results as before on before.test_run_id = other.id and before.status = 'FAIL'
       where this.id = :runId and other.id <> :runId
       order by before.path, before.viewport, before.current_file, before.heard_key, other.created_at desc
     )
     update page_results set cause = 'CHANGE', cause_pr_number = null, cause_version = null, counted_as_change = true,
            updated_at = now()
     from earlier
     where page_results.test_run_id = :runId and page_results.status = 'FAIL' and page_results.cause <> 'CHANGE'
       and earlier.counted_as_change and page_results.path = earlier.path and page_results.viewport = earlier.viewport
       and page_results.current_file = earlier.current_file
       and page_results.heard_key is not distinct from earlier.heard_key`,
    { runId, mergedInto: [...mergedInto] },
  );
  return rowCount ?? 0;
}

/**
 * Takes approvals back where somebody has requested changes since, to the same screenshot in another run of the pull
 * request, or of one that was merged into it.
 * @returns the results.
 */
export async function dropRefused(db: Db, runId: string, mergedInto: readonly number[]): Promise<string[]> {
  const others = `select other.id ${SAME_PULL_REQUEST} where this.id = :runId and other.id <> :runId`;
  return readValues(
    db,
    z.uuid(),
    `update page_results set approved = false, approved_by = null, approved_at = null, carried_over = false, updated_at = now()
     where test_run_id = :runId and approved
       and ${refusedSql('page_results', others, 'asked.created_at > page_results.approved_at')}
     returning id`,
    { runId, mergedInto: [...mergedInto] },
  );
}
