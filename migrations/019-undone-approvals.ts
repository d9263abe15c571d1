import type { Knex } from 'knex';

/** When an approval was taken back: a later run of the pull request must not carry over what its reviewer withdrew. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table page_results add column approval_undone_at timestamptz');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table page_results drop column approval_undone_at');
}
