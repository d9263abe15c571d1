import { z } from 'zod';
import { countRows, readRows, readValues, type Db } from '../../db/database.ts';
import { CHANGED_SQL } from '../../runs/results/result-sql.ts';
import { Box, GroupFacts, type ChangePlace, type PartOfChanges } from './change-group.ts';

/** A change is decided with its group, or with its result. Drift needs no decision. */
export const PENDING_SQL =
  '(not page_results.approved and result_changes.approved_at is null and not result_changes.drift)';

/** It needs a decision, and nobody has made one yet. */
export const UNDECIDED_CHANGE_SQL = `(${PENDING_SQL} and not page_results.changes_requested)`;

/** The changes of a run's results that hold its gate. */
export const IN_RUN_SQL = `from result_changes join page_results on page_results.id = result_changes.page_result_id
  where result_changes.test_run_id = :runId and not result_changes.informs and ${CHANGED_SQL}`;

const GroupRow = GroupFacts.extend({
  elements: z.array(z.string()),
  firstId: z.uuid(),
  baselineBox: Box.nullable(),
  currentBox: Box.nullable(),
  baselineFile: z.string().nullable(),
  currentFile: z.string().nullable(),
  resultId: z.uuid(),
  number: z.coerce.number(),
  totalGroups: z.coerce.number(),
  undecidedGroups: z.coerce.number(),
});
export type GroupRow = z.infer<typeof GroupRow>;

const BEFORE_ALL: ChangePlace = { drift: false, faint: false, count: 0, place: 0, key: '' };

/** How many groups before and after the open one are read. */
export const AROUND = 30;

/** Clear changes first, then faint ones, then drift: each with the most frequent first, then in the order of the run. */
export async function findGroupRows(
  db: Db,
  runId: string,
  { limit, offset = 0, after = null, around = null }: PartOfChanges,
): Promise<GroupRow[]> {
  return readRows(
    db,
    GroupRow,
    `with groups as (
       select change_key as key, bool_and(result_changes.faint) as faint, bool_and(result_changes.drift) as drift,
              count(distinct page_results.id) as count,
              count(*) filter (where ${PENDING_SQL}) as pending,
              count(distinct page_results.id) filter (where ${UNDECIDED_CHANGE_SQL}) as undecided,
              (array_agg(page_results.id order by not ${UNDECIDED_CHANGE_SQL}, page_results.position))[1] as result_id,
              array_agg(distinct element) as elements, array_agg(distinct path) as paths, array_agg(distinct viewport) as viewports,
              min(page_results.position) as place,
              (array_agg(result_changes.id order by page_results.position, result_changes.position))[1] as first_id,
              count(*) over () as total_groups,
              sum(case when bool_or(${UNDECIDED_CHANGE_SQL}) then 1 else 0 end) over () as undecided_groups
       ${IN_RUN_SQL}
       group by change_key
     ), ordered as (
       select *, row_number() over (order by drift, faint, count desc, place, key) as number from groups
     ), here as (
       select number as at from ordered where key = :around
     ), part as (
       select ordered.* from ordered left join here on true
       where (:isFirst or (drift, faint, -count, place, key) > (:drift, :faint, -:count::bigint, :place, :key))
         and (:around::text is null or number between at - ${AROUND} and at + ${AROUND} or number = total_groups or number = (
           select number from ordered, here where undecided > 0 and number <> at order by number > at desc, number limit 1
         ))
       order by number
       limit :limit offset :offset
     )
     select part.*, kind, element, summary, before, after, baseline_box, current_box, baseline_file, current_file
     from part
     join result_changes on result_changes.id = part.first_id
     join page_results on page_results.id = result_changes.page_result_id
     order by part.number`,
    { runId, around, limit, offset, isFirst: after === null, ...(after ?? BEFORE_ALL) },
  );
}

/**
 * The results that wait for this approval. Changes that are already approved keep their first approver.
 * @returns the result of each
 */
export async function markChangesApproved(
  db: Db,
  changeIds: string[],
  resultIds: string[],
  approverId: string,
): Promise<string[]> {
  return db('result_changes')
    .whereRaw('id = any(?) and page_result_id = any(?)', [changeIds, resultIds])
    .where({ approved_at: null })
    .update({ approved_by: approverId, approved_at: db.raw('clock_timestamp()'), updated_at: db.fn.now() })
    .returning('page_result_id')
    .then((rows) => rows.map(({ pageResultId }) => pageResultId));
}

/** The changed results whose changes are all approved, so that only the result itself is not. */
export async function findDecidedResultIds(db: Db, resultIds: string[]): Promise<string[]> {
  return readValues(
    db,
    z.uuid(),
    `select page_results.id
     from page_results
     where page_results.id = any(:resultIds) and ${CHANGED_SQL} and not page_results.approved
       and not exists (
         select from result_changes where page_result_id = page_results.id and approved_at is null and not drift and not informs
       )`,
    { resultIds },
  );
}

/** How many of these results still need an approval. */
export async function countUndecided(db: Db, resultIds: string[]): Promise<number> {
  return countRows(
    db('page_results').whereRaw(`id = any(?) and ${CHANGED_SQL}`, [resultIds]).where({ approved: false }),
  );
}

/** Approvals of one person after a time, which is as the database prints it. */
export type OwnSince = { at: string; by: string };

/** @param own only these */
export async function markChangesUnapproved(db: Db, resultIds: string[], own: OwnSince | null = null): Promise<number> {
  return db('result_changes')
    .whereRaw('page_result_id = any(?)', [resultIds])
    .whereRaw('approved_at is not null')
    .whereRaw(
      '(?::uuid is null or (approved_by = ? and approved_at > ?::timestamptz))',
      [own?.by, own?.by, own?.at].map((value) => value ?? null),
    )
    .update({ approved_by: null, approved_at: null, updated_at: db.fn.now() });
}
