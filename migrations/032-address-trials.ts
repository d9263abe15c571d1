import type { Knex } from 'knex';

/** Trials of an address: whether the site, or a preview of it, can be reached, and what was in the way. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table page_trials
      -- Where the page is, when that is to be told. Null: a trial of settings, on the suite's own site.
      add column origin text,
      -- What a request without a browser got.
      add column visit jsonb;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table page_trials drop column origin, drop column visit');
}
