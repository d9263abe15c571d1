import type { Knex } from 'knex';

/** A job that continues a search for missed deliveries has the place in its payload. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table delivery_rounds drop column round_started_at, drop column next');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table delivery_rounds add column round_started_at timestamptz, add column next text');
}
