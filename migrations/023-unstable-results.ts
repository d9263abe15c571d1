import type { Knex } from 'knex';

/** Leads to the few unstable results of a run, which lists of pages count. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index page_results_unstable_index on page_results (test_run_id, path, viewport) where stability = 'UNSTABLE';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index page_results_unstable_index');
}
