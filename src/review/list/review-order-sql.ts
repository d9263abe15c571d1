import { CAUSES } from '../../runs/results/result.ts';
import { rankSection } from '../../runs/results/review-section.ts';

const UNCOUNTED = rankSection('uncounted');

const CAUSES_SQL = `array[${CAUSES.map((cause) => `'${cause}'`).join(', ')}]`;
const CAUSE_RANK_SQL = `case when review_rank = ${UNCOUNTED} then array_position(${CAUSES_SQL}, cause) else 0 end`;

/** The order of results: by section, among those that are not counted by cause, and the largest change first. */
const OWN_ORDER_SQL = `review_rank, ${CAUSE_RANK_SQL}, review_weight, position`;

/** The same as a single value. A page has the smallest value of its results, `page_key`. */
export const OWN_KEY_SQL = `array[${OWN_ORDER_SQL}]::double precision[]`;

/** The cause of the pages that are not counted, by their `page_key`. */
export const PAGE_CAUSE_SQL = `case when page_key[1] = ${UNCOUNTED} then (${CAUSES_SQL})[page_key[2]::integer] end`;

/**
 * The order of every list of a run's results, as a table `ordered` of all of them: by page, viewports together. A page
 * is placed where its first result would be. Filters and approvals don't move it. The binding is the run's id.
 */
export const ORDERED_SQL = `(
  select id, page_place, page_rank, page_cause, row_number() over (order by page_place, position) as place
  from (
    select id, position, min(own_place) over page as page_place, first_value(review_rank) over page as page_rank,
           first_value(cause) over page as page_cause
    from (
      select id, path, position, review_rank, cause,
             row_number() over (order by ${OWN_ORDER_SQL}) as own_place
      from page_results
      where test_run_id = ?
    ) as ranked
    window page as (partition by path order by own_place)
  ) as paged
) as ordered`;
