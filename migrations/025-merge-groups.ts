import type { Knex } from 'knex';

/** The newest merge group that a pull request is in: its check is updated when one of its pull requests changes. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Null: it was in none, or that was destroyed.
    alter table pull_requests add column merge_group jsonb;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table pull_requests drop column merge_group');
}
