import type { Knex } from 'knex';

/** Until when GitHub asked for no more requests of an installation (0: of the App), for all threads and hosts to obey. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table github_pauses (
      installation_id bigint primary key,
      until timestamptz not null
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table github_pauses');
}
