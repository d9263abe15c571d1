import type { Knex } from 'knex';

/**
 * The GitHub App that was created from our manifest; one at most. Its secrets are encrypted with a key that is not in the
 * database. Credentials in the environment win over this row.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table github_app (
      singleton boolean primary key default true,
      app_id bigint not null,
      slug text not null,
      name text not null,
      html_url text not null,
      client_id text not null,
      encrypted_secrets text not null,
      created_by uuid references users on delete set null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint github_app_singleton_check check (singleton)
    );
    create index github_app_created_by_index on github_app (created_by);

    alter table code_host_installations
      add column suspended_at timestamptz,
      add column permissions jsonb,
      add column events text[] not null default '{}';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table code_host_installations drop column suspended_at, drop column permissions, drop column events;
    drop table github_app;
  `);
}
