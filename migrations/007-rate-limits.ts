import type { Knex } from 'knex';

/** Attempts per address and per account, counted here so that the limit is one over all web hosts. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create unlogged table rate_limits (
      key text primary key,
      hits integer not null,
      resets_at timestamptz not null
    );
    create index rate_limits_resets_at_index on rate_limits (resets_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table rate_limits');
}
