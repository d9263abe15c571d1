import { z } from 'zod';
import type { Db } from '../../db/database.ts';
import { readRows } from '../../db/read-rows.ts';
import { CHANGE_KINDS } from '../../elements/page-change.ts';
import { CHANGED_SQL } from '../../runs/results/result-sql.ts';
import type { ChangePlace, Occurrence, PartOfChanges } from './change-group.ts';

const Box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

const GroupRow = z.object({
  changeKey: z.string(),
  kind: z.enum(CHANGE_KINDS),
  element: z.string(),
  summary: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  elements: z.array(z.string()),
  firstId: z.uuid(),
  baselineBox: Box.nullable(),
  currentBox: Box.nullable(),
  baselineFile: z.string().nullable(),
  currentFile: z.string().nullable(),
  faint: z.boolean(),
  drift: z.boolean(),
  paths: z.array(z.string()),
  viewports: z.array(z.string()),
  count: z.coerce.number(),
  place: z.number(),
  pending: z.coerce.number(),
  totalGroups: z.coerce.number(),
  pendingGroups: z.coerce.number(),
});
export type GroupRow = z.infer<typeof GroupRow>;

/** A change is decided with its group, or with its result. Drift needs no decision. */
const PENDING_SQL = '(not page_results.approved and result_changes.approved_at is null and not result_changes.drift)';

const BEFORE_ALL: ChangePlace = { drift: false, faint: false, count: 0, place: 0, key: '' };

const FROM_SQL = `from result_changes join page_results on page_results.id = result_changes.page_result_id
  where result_changes.test_run_id = :runId and ${CHANGED_SQL}`;

/** Drift last, before it faint ones, then those of the most results first, in the order of the run. */
export async function findGroupRows(
  db: Db,
  runId: string,
  { limit, offset = 0, after = null }: PartOfChanges,
): Promise<GroupRow[]> {
  return readRows(
    db,
    GroupRow,
    `with groups as (
       select change_key, bool_and(result_changes.faint) as faint, bool_and(result_changes.drift) as drift,
              count(distinct page_results.id) as count,
              count(*) filter (where ${PENDING_SQL}) as pending,
              array_agg(distinct element) as elements, array_agg(distinct path) as paths, array_agg(distinct viewport) as viewports,
              min(page_results.position) as place,
              (array_agg(result_changes.id order by page_results.position, result_changes.position))[1] as first_id,
              count(*) over () as total_groups,
              sum(case when bool_or(${PENDING_SQL}) then 1 else 0 end) over () as pending_groups
       ${FROM_SQL}
       group by change_key
     ), part as (
       select * from groups
       where :isFirst or (drift, faint, -count, place, change_key) > (:drift, :faint, -:count::bigint, :place, :key)
       order by drift, faint, count desc, place, change_key
       limit :limit offset :offset
     )
     select part.*, kind, element, summary, before, after, baseline_box, current_box, baseline_file, current_file
     from part
     join result_changes on result_changes.id = part.first_id
     join page_results on page_results.id = result_changes.page_result_id
     order by part.drift, part.faint, part.count desc, part.place, part.change_key`,
    { runId, limit, offset, isFirst: after === null, ...(after ?? BEFORE_ALL) },
  );
}

const OccurrenceRow: z.ZodType<Occurrence> = z.object({
  key: z.string(),
  resultId: z.uuid(),
  path: z.string(),
  viewport: z.string(),
  approved: z.boolean(),
});

/** The first results of each group, in the order of the run. */
export async function findOccurrences(db: Db, runId: string, keys: string[], limit: number): Promise<Occurrence[]> {
  return readRows(
    db,
    OccurrenceRow,
    `select key, result_id, path, viewport, approved
     from (
       select change_key as key, page_results.id as result_id, path, viewport,
              page_results.approved or result_changes.approved_at is not null as approved,
              page_results.position,
              row_number() over (partition by change_key order by page_results.position) as number
       ${FROM_SQL} and change_key = any(:keys)
     ) as occurrence
     where number <= :limit
     order by key, position`,
    { runId, keys, limit },
  );
}

/** Which of the keys the run has. */
export async function findKnownKeys(db: Db, runId: string, keys: string[]): Promise<Set<string>> {
  const rows = await db('result_changes')
    .where({ test_run_id: runId })
    .whereRaw('change_key = any(?)', [keys])
    .groupBy('change_key')
    .select('change_key');
  return new Set(rows.map((row) => row.changeKey));
}

/** The results in which one of the changes occurs. */
export async function findResultsWith(db: Db, runId: string, keys: string[]): Promise<string[]> {
  const rows = await db('result_changes')
    .where({ test_run_id: runId })
    .whereRaw('change_key = any(?)', [keys])
    .groupBy('page_result_id')
    .select('page_result_id');
  return rows.map(({ pageResultId }) => pageResultId);
}

/** Those that wait for it. Changes that are already approved keep their first approver. */
export async function markChangesApproved(db: Db, runId: string, keys: string[], approverId: string): Promise<number> {
  return db('result_changes')
    .where({ test_run_id: runId, approved_at: null })
    .whereRaw('change_key = any(?)', [keys])
    .update({ approved_by: approverId, approved_at: db.raw('clock_timestamp()'), updated_at: db.fn.now() });
}

/** The changed results that wait only for themselves: each of their changes is approved. */
export async function findDecidedResultIds(db: Db, runId: string, keys: string[]): Promise<string[]> {
  const rows = await readRows(
    db,
    z.object({ id: z.uuid() }),
    `select page_results.id
     from page_results
     where page_results.test_run_id = :runId and ${CHANGED_SQL} and not page_results.approved
       and exists (
         select from result_changes where page_result_id = page_results.id and change_key = any(:keys)
       )
       and not exists (
         select from result_changes where page_result_id = page_results.id and approved_at is null and not drift
       )`,
    { runId, keys },
  );
  return rows.map(({ id }) => id);
}

export async function markChangesUnapproved(db: Db, resultIds: string[]): Promise<void> {
  await db('result_changes')
    .whereRaw('page_result_id = any(?)', [resultIds])
    .whereNotNull('approved_at')
    .update({ approved_by: null, approved_at: null, updated_at: db.fn.now() });
}
