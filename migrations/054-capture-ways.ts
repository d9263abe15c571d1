import type { Knex } from 'knex';

/**
 * How a screenshot was captured: with the page's clock running or stopped, up to which limit, and which later timers
 * change the page. A page is judged by a capture like that of its baseline. Null: nobody knows.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table page_results add column capture_way jsonb;
    alter table baseline_versions add column capture_way jsonb;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table page_results drop column capture_way;
    alter table baseline_versions drop column capture_way;
  `);
}
