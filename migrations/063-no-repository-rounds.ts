import type { Knex } from 'knex';

/** Repositories are read when somebody asks for it (`docs/decisions/0066-redelivery-and-synchronize.md`). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop table repository_rounds');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create table repository_rounds (
      owner text not null,
      repo text not null,
      complete_until timestamptz not null,
      round_started_at timestamptz,
      next integer,
      etag text,
      etag_at timestamptz,
      checked_at timestamptz not null,
      problem text,
      primary key (owner, repo)
    );
  `);
}
