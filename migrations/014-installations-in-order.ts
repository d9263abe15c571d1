import type { Knex } from 'knex';

/** The code host's own time of the newest event that was applied to an installation: an older one changes nothing. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table code_host_installations add column changed_at timestamptz');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table code_host_installations drop column changed_at');
}
