import type { Knex } from 'knex';

/**
 * The place of a result among those of its run that have come out, so that the page of a run in flight can ask for what
 * came since. A place is given under the run's row lock: places become visible in their order, and a result that is
 * captured again comes out once more, in a new place. Runs that are over are watched by nobody and get none.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table page_results add column settled_number integer;
    update page_results set settled_number = numbered.number
    from (
      select page_results.id,
             row_number() over (partition by test_run_id order by page_results.updated_at, page_results.position) as number
      from page_results join test_runs on test_runs.id = page_results.test_run_id
      where test_runs.status = 'RUNNING' and page_results.status in ('PASS', 'FAIL', 'ERROR')
    ) as numbered
    where numbered.id = page_results.id;
    create unique index page_results_settled_key on page_results (test_run_id, settled_number);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index page_results_settled_key;
    alter table page_results drop column settled_number;
  `);
}
