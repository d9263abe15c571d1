import type { Knex } from 'knex';

/**
 * Which page's link led a crawl to a page. When a page does not answer, a later crawl tells by it what lay behind that
 * page, of which nothing is known then, from what is no longer linked. Numbered behind the migrations of the code host.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table site_pages add column found_on text');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table site_pages drop column found_on');
}
