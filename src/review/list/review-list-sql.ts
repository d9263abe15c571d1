import { given, joinSql, type Sql } from '../../db/database.ts';
import type { RunFor } from '../../runs/read-run.ts';
import { CHANGED_SQL } from '../../runs/results/result-sql.ts';
import { CAUSES, rankSection, type Cause } from '../../runs/results/result.ts';
import { encodeTyped } from '../../text/readable-path.ts';
import { approvableSql } from '../approval/approvable-sql.ts';
import type { ReviewFilter } from './review-row.ts';

const LOUD = ['changed', 'new', 'error'] as const;

/** The list of a run's results, with the viewer's filter. */
export type ReviewList = { run: RunFor; filter: ReviewFilter };

/** The end of a statement: the viewer's (second binding) approvals in earlier runs of the same pull request. */
const APPROVED_EARLIER = `from test_runs as this
  join test_runs as earlier on earlier.test_suite_id = this.test_suite_id and earlier.run_type = 'PR'
    and earlier.git_owner = this.git_owner and earlier.git_repo = this.git_repo
    and earlier.git_pr_number = this.git_pr_number and earlier.created_at < this.created_at
  join page_results as mine on mine.test_run_id = earlier.id
  where this.id = ? and this.run_type = 'PR' and mine.approved and mine.approved_by = ?`;

/** True when the viewer approved something in earlier runs of the same pull request. */
export function hasApprovedEarlierSql({ id, suite }: RunFor): Sql {
  return [`exists (select ${APPROVED_EARLIER})`, [id, suite.viewer.id]];
}

/**
 * True when the viewer approved another screenshot last, in earlier runs, for its page and viewport, or one of which
 * assistive technology hears something else.
 */
function sinceMineSql({ id, suite }: RunFor): Sql {
  const last = `select distinct on (mine.path, mine.viewport) mine.path, mine.viewport, mine.current_file, mine.heard_key
    ${APPROVED_EARLIER} order by mine.path, mine.viewport, earlier.created_at desc`;
  const same = ['path', 'viewport', 'current_file'].map((column) => `last.${column} = page_results.${column}`);
  return [
    `not exists (select from (${last}) as last where ${same.join(' and ')}
    and last.heard_key is not distinct from page_results.heard_key)`,
    [id, suite.viewer.id],
  ];
}

/** PostgreSQL refuses NUL in a text, so a filter that contains it matches nothing. */
function textSql({ viewport, search }: ReviewFilter): Sql[] {
  if (`${viewport ?? ''}${search ?? ''}`.includes('\u0000')) return [['false', []]];
  return [
    ...given('page_results.viewport = ?', viewport),
    ...given('strpos(lower(page_results.path), lower(?)) > 0', search && encodeTyped(search)),
  ];
}

const causeSql = (cause: Cause): Sql =>
  cause === 'CHANGE' ? [CHANGED_SQL, []] : ["page_results.status = 'FAIL' and page_results.cause = ?", [cause]];

/** New results of a MANUAL run are baselines already and need no attention. */
function restSql({ runType }: RunFor): string {
  const ranks = (runType === 'MANUAL' ? LOUD.filter((section) => section !== 'new') : LOUD).map(rankSection);
  // A subquery for each result uses an index. A join would read all changes of all runs.
  return `(page_results.review_rank in (${ranks.join(', ')}) and not (${CHANGED_SQL} and coalesce(
    (select true from result_changes where page_result_id = page_results.id and not drift and not informs limit 1), false)
  ))`;
}

function filterSql({ run, filter }: ReviewList): Sql[] {
  const { section, cause, unapproved, sinceMine, rest } = filter;
  return [
    ...textSql(filter),
    ...given('page_results.review_rank = ?', section && rankSection(section)),
    ...(cause === undefined ? [] : [causeSql(cause)]),
    ...(unapproved === true ? [[approvableSql(run), []] satisfies Sql] : []),
    ...(sinceMine === true ? [sinceMineSql(run)] : []),
    ...(rest === true ? [[restSql(run), []] satisfies Sql] : []),
  ];
}

/** True when all results of the run are in the list. */
export const isWholeList = (list: ReviewList): boolean => filterSql(list).length === 0;

/** True when a row of the table `page_results` is in the list. */
export function inListSql(list: ReviewList): Sql {
  return joinSql([['page_results.test_run_id = ?', [list.run.id]], ...filterSql(list)], ' and ');
}

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
