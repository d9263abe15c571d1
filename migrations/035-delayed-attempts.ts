import type { Knex } from 'knex';

/** Wrong passwords delay the next attempt, and do not close an account to its owner. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table rate_limits add column not_before timestamptz');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table rate_limits drop column not_before');
}
