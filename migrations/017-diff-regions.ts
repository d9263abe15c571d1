import type { Knex } from 'knex';

/**
 * Where two pictures differ, as boxes in pixels of the larger canvas. Null where pictures were compared before this was
 * kept, and for a result that was never compared.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table page_results add column diff_regions jsonb;
    alter table baseline_comparisons add column regions jsonb;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table baseline_comparisons drop column regions;
    alter table page_results drop column diff_regions;
  `);
}
