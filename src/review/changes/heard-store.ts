import { z } from 'zod';
import { readRow, readRows, type Db } from '../../db/database.ts';
import type { ListPart } from '../../db/list-part.ts';

/** One difference in what assistive technology is told, over all pages and viewports of a run. */
const HeardRow = z.object({
  key: z.string(),
  /** Role and name: `button “Search”`. */
  element: z.string(),
  /** What happened to it, in words that follow its name: `lost its name`. */
  summary: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** It needs a review. Otherwise it is only shown. */
  holds: z.boolean(),
  paths: z.array(z.string()),
  viewports: z.array(z.string()),
  /** How many results have it, the first of them, and the position of that one in the run. */
  count: z.coerce.number(),
  resultId: z.uuid(),
  place: z.number(),
  total: z.coerce.number(),
});
export type HeardRow = z.infer<typeof HeardRow>;

export type HeardPlace = Pick<HeardRow, 'count' | 'place' | 'key'>;

/** The most frequent first, then in the order of the run. */
export async function findHeardRows(
  db: Db,
  runId: string,
  { limit, after }: ListPart<HeardPlace>,
): Promise<HeardRow[]> {
  return readRows(
    db,
    HeardRow,
    `with groups as (
       select change_key as key, min(element) as element, min(summary) as summary, min(before) as before, min(after) as after,
              bool_or(not informs) as holds, array_agg(distinct path) as paths, array_agg(distinct viewport) as viewports,
              count(*) as count, min(page_results.position) as place,
              (array_agg(page_results.id order by page_results.position))[1] as result_id, count(*) over () as total
       from result_changes join page_results on page_results.id = result_changes.page_result_id
       where result_changes.test_run_id = :runId and kind = 'ACCESSIBILITY' and not page_results.left_out
       group by change_key
     )
     select * from groups
     where :isFirst or (-count, place, key) > (-:count::bigint, :place::integer, :key)
     order by count desc, place, key limit :limit`,
    { runId, limit, isFirst: after === null, ...(after ?? { count: 0, place: 0, key: '' }) },
  );
}

/** How many differences there are in a run, and on how many pages. */
export async function countHeard(db: Db, runId: string): Promise<{ differences: number; pages: number }> {
  return readRow(
    db,
    z.object({ differences: z.coerce.number(), pages: z.coerce.number() }),
    `select count(distinct change_key) as differences, count(distinct path) as pages
     from result_changes join page_results on page_results.id = result_changes.page_result_id
     where result_changes.test_run_id = :runId and kind = 'ACCESSIBILITY' and not page_results.left_out`,
    { runId },
  );
}
