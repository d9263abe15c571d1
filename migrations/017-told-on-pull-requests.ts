import type { Knex } from 'knex';

/** The comment on a pull request, and the check over all suites of its repository. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- What the code host shows of them. Null: never shown.
    alter table pull_requests
      add column comment_shown jsonb,
      add column summary_shown jsonb;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table pull_requests drop column comment_shown, drop column summary_shown');
}
