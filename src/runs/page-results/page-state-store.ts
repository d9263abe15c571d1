import { readRows, type Db } from '../../db/database.ts';
import type { PageState } from '../../pages/site-page.ts';
import { CHANGED_SQL } from '../results/result-sql.ts';
import { decidableSql, type Run } from '../run.ts';
import { LatestResultRow } from './result-of-page.ts';

const is = (state: PageState) => `'${state}'`;

/** The state of a page by its results at all viewports in `page_results`, as its badge in `web/badge.ts` says. */
const PAGE_STATE_SQL = `case
  when bool_or(page_results.status = 'ERROR') then ${is('error')}
  when bool_or(${CHANGED_SQL} and not page_results.approved) then ${is('changed')}
  when bool_or(page_results.status = 'FAIL' and page_results.approved) then ${is('approved')}
  when bool_or(page_results.status = 'FAIL') then ${is('uncounted')}
  when bool_or(page_results.status in ('PENDING', 'CANCELLED')) then ${is('cancelled')}
  when bool_and(page_results.is_new) then ${is('new')}
  else ${is('unchanged')} end`;

/** Runs of the suite's own site that ended by themselves. */
const COUNTS_SQL = `run.run_type = 'MANUAL' and ${decidableSql('run.status')}`;

/** Keeps the states of pages. `from`: the tables `run` and `page_results`. A newer run that captured a page wins. */
const saveSql = (from: string) => `
  insert into page_states (test_suite_id, path, state, test_run_id, run_created_at)
  select run.test_suite_id, page_results.path, ${PAGE_STATE_SQL}, run.id, run.created_at
  from ${from}
  group by run.test_suite_id, page_results.path, run.id, run.created_at
  order by run.test_suite_id, page_results.path
  on conflict (test_suite_id, path) do update
    set state = excluded.state, test_run_id = excluded.test_run_id, run_created_at = excluded.run_created_at
    where excluded.run_created_at >= page_states.run_created_at
      and (excluded.state, excluded.test_run_id) is distinct from (page_states.state, page_states.test_run_id)`;

/**
 * Call this in the transaction that ends a run, or changes the outcome of an ended run's results. It does nothing for a
 * run of another site, or one in flight.
 * @param paths the pages whose results changed. Default: all
 */
export async function savePageStates(trx: Db, runId: string, paths?: readonly string[]): Promise<void> {
  const some = paths === undefined ? '' : 'and page_results.path = any(:paths)';
  await trx.raw(
    saveSql(`test_runs as run join page_results on page_results.test_run_id = run.id
      where run.id = :runId and ${COUNTS_SQL} ${some}`),
    paths === undefined ? { runId } : { runId, paths: [...paths] },
  );
}

/** The run continues, so the states of its pages are again those of earlier runs. */
export async function leavePageStates(trx: Db, { id, testSuiteId }: Pick<Run, 'id' | 'testSuiteId'>): Promise<void> {
  const left = await trx('page_states').where({ test_run_id: id }).delete(['path']);
  if (left.length === 0) return;
  await trx.raw(
    saveSql(`unnest(:paths::text[]) as page (path)
      cross join lateral (
        select run.id, run.test_suite_id, run.created_at from test_runs as run
        where run.test_suite_id = :testSuiteId and ${COUNTS_SQL}
          and exists (select from page_results where test_run_id = run.id and page_results.path = page.path)
        order by run.created_at desc, run.id desc limit 1
      ) as run
      join page_results on page_results.test_run_id = run.id and page_results.path = page.path`),
    { paths: left.map(({ path }) => path), testSuiteId },
  );
}

/**
 * The newest MANUAL run that ended by itself and captured each of the pages, in one query. Pages that were never
 * captured have no row. A cancelled run did not finish. The table `page_states` says which run it is.
 */
export async function findLatestResults(db: Db, testSuiteId: string, pageIds: string[]): Promise<LatestResultRow[]> {
  return readRows(
    db,
    LatestResultRow,
    `select site_pages.id as page_id, latest.test_run_id, max(page_results.diff_score) as diff_score,
            bool_and(page_results.is_new and page_results.status = 'PASS') as is_first,
            jsonb_object_agg(page_results.viewport, page_results.status) as viewports,
            coalesce(array_agg(page_results.viewport) filter (where page_results.status = 'FAIL' and page_results.approved), '{}') as approved,
            coalesce(array_agg(page_results.viewport) filter (where page_results.status = 'FAIL' and not page_results.approved and page_results.cause <> 'CHANGE'), '{}') as uncounted,
            (array_agg(coalesce(page_results.current_file, page_results.baseline_file) order by page_results.position)
              filter (where coalesce(page_results.current_file, page_results.baseline_file) is not null))[1] as screenshot
     from site_pages
     join page_states as latest on latest.test_suite_id = site_pages.test_suite_id and latest.path = site_pages.path
     join page_results on page_results.test_run_id = latest.test_run_id and page_results.path = site_pages.path
     where site_pages.test_suite_id = :testSuiteId and site_pages.id = any(cast(:pageIds as uuid[]))
     group by site_pages.id, latest.test_run_id`,
    { testSuiteId, pageIds },
  );
}
