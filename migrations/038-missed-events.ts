import type { Knex } from 'knex';

/**
 * Asking GitHub for what did not arrive. A round looks at what happened since `complete_until`, newest first, and may take
 * several jobs: then `next` says where it goes on, and `round_started_at` is what it completes. `problem`: why the last
 * round could not be finished.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table delivery_rounds (
      app_id bigint primary key,
      complete_until timestamptz not null,
      round_started_at timestamptz,
      next text,
      checked_at timestamptz not null,
      problem text
    );
    create table missed_deliveries (
      id text primary key,
      attempt_id bigint not null,
      event text not null,
      delivered_at timestamptz not null,
      asked_at timestamptz
    );
    create index missed_deliveries_delivered_index on missed_deliveries (delivered_at);

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

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table delivery_rounds, missed_deliveries, repository_rounds');
}
