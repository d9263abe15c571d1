import { z } from 'zod';
import { readRows, readValues, type Db } from '../../db/database.ts';
import { IN_RUN_SQL, PENDING_SQL, UNDECIDED_CHANGE_SQL } from './change-group-store.ts';
import { Box, type PartOfVariants, type VariantPlace } from './change-group.ts';

/**
 * Which variant of its group each page shows. Pages are compared by what their results show at each viewport, so a
 * group that looks the same on all pages is one variant, whatever the number of viewports. Each result that was
 * compared before pictures were stored is a variant of its own. The names of the parts are for the statements below.
 */
const variantsSql = (ofKeys: string) => `occurrences as (
    select change_key, path, viewport, page_results.position as result_place, page_results.id as result_id,
           result_changes.id as change_id, coalesce(picture, page_results.id::text) as picture,
           page_results.approved or result_changes.approved_at is not null as approved, ${PENDING_SQL} as is_pending,
           ${UNDECIDED_CHANGE_SQL} as is_undecided, page_results.changes_requested as held,
           result_changes.drift,
           baseline_box, current_box, canvas_box, baseline_file, current_file,
           coalesce(aligned_baseline_file, baseline_file) as whole_baseline_file,
           coalesce(aligned_current_file, current_file) as whole_current_file
    ${IN_RUN_SQL} ${ofKeys}
  ), shown_pages as (
    select change_key, path, min(result_place) as page_place, count(*) as results,
           count(*) filter (where is_pending) as pending, count(*) filter (where is_undecided) as undecided,
           string_agg(result_place::text, ' ' order by result_place) filter (where is_undecided) as undecided_places,
           bool_and(drift) as drift,
           array_agg(viewport order by result_place) as viewports,
           md5(change_key || string_agg(viewport || ' ' || picture, chr(10) order by viewport, picture)) as variant
    from occurrences group by change_key, path
  )`;

const OF_KEYS = 'and change_key = any(:keys)';

const VariantRow = z.object({
  key: z.string(),
  variant: z.string(),
  total: z.coerce.number(),
  count: z.coerce.number(),
  pending: z.coerce.number(),
  undecided: z.coerce.number(),
  /** Null for all but the first of the variant's occurrences, and when there are none. */
  undecidedPlaces: z.string().nullable(),
  drift: z.boolean(),
  place: z.number(),
  viewports: z.array(z.string()),
  /** Null except for the first of the variant's occurrences. */
  paths: z.array(z.string()).nullable(),
  resultId: z.uuid(),
  changeId: z.uuid(),
  path: z.string(),
  viewport: z.string(),
  approved: z.boolean(),
  held: z.boolean(),
  baselineBox: Box.nullable(),
  currentBox: Box.nullable(),
  canvasBox: Box,
  baselineFile: z.string().nullable(),
  currentFile: z.string().nullable(),
  wholeBaselineFile: z.string().nullable(),
  wholeCurrentFile: z.string().nullable(),
});
export type VariantRow = z.infer<typeof VariantRow>;

const FIRST: VariantPlace = { decided: false, count: Number.MAX_SAFE_INTEGER, place: 0 };

/**
 * A row for each of the first results of these groups' variants, page by page. Undecided variants come first, then
 * those with the most results, in the order of the run.
 */
export async function findVariantRows(
  db: Db,
  runId: string,
  keys: string[],
  { after = null, limit, results }: PartOfVariants,
): Promise<VariantRow[]> {
  if (keys.length === 0) return [];
  return readRows(
    db,
    VariantRow,
    `with ${variantsSql(OF_KEYS)}, variants as (
       select change_key, variant, sum(pending) = 0 as decided, sum(results) as count, sum(pending) as pending,
              sum(undecided) as undecided, string_agg(undecided_places, ' ' order by page_place) as undecided_places,
              bool_and(drift) as drift, min(page_place) as place, array_agg(path order by page_place) as paths, min(viewports) as viewports,
              count(*) over (partition by change_key) as total
       from shown_pages group by change_key, variant
     ), part as (
       select *, row_number() over (partition by change_key order by decided, count desc, place) as number
       from variants
       where (decided, -count, place) > (:decided, -:count::bigint, :place::integer)
     ), listed as (
       select part.change_key as key, part.variant, number, total, count, part.pending, part.undecided, part.undecided_places, part.drift, place, part.viewports,
              row_number() over (partition by part.change_key, part.variant order by page_place, result_place) as nth,
              paths, result_id, change_id, path, viewport, approved, held, baseline_box, current_box, canvas_box,
              baseline_file, current_file, whole_baseline_file, whole_current_file
       from part join shown_pages using (change_key, variant) join occurrences using (change_key, path)
       where number <= :limit
     )
     select key, variant, total, count, pending, undecided, case when nth = 1 then undecided_places end as undecided_places,
            drift, place, viewports, case when nth = 1 then paths end as paths, result_id, change_id, path, viewport, approved, held, baseline_box, current_box, canvas_box, baseline_file, current_file,
            whole_baseline_file, whole_current_file
     from listed where nth <= :results
     order by key, number, nth`,
    { runId, keys, limit, results, ...(after ?? FIRST) },
  );
}

const VariantToApprove = z.object({
  key: z.string(),
  variant: z.string(),
  count: z.coerce.number(),
  pages: z.coerce.number(),
  changeIds: z.array(z.uuid()),
  resultIds: z.array(z.uuid()),
});
export type VariantToApprove = z.infer<typeof VariantToApprove>;

/** All variants of these groups, the most frequent first. */
export async function findVariants(db: Db, runId: string, keys: string[]): Promise<VariantToApprove[]> {
  return readRows(
    db,
    VariantToApprove,
    `with ${variantsSql(OF_KEYS)}
     select change_key as key, variant, count(*) as count, count(distinct path) as pages, array_agg(change_id) as change_ids,
            array_agg(result_id) as result_ids
     from shown_pages join occurrences using (change_key, path)
     group by change_key, variant
     order by count desc, min(page_place), change_key`,
    { runId, keys },
  );
}

/** Results with an undecided change, in a variant that is none of these. */
export async function findResultsNotShown(db: Db, runId: string, shown: readonly string[]): Promise<Set<string>> {
  const ids = await readValues(
    db,
    z.uuid(),
    `with ${variantsSql('')}
     select distinct result_id from shown_pages join occurrences using (change_key, path)
     where is_pending and not variant = any(:shown)`,
    { runId, shown: [...shown] },
  );
  return new Set(ids);
}
