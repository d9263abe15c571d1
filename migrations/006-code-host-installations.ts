import type { Knex } from 'knex';

/** Where the GitHub App is installed, as GitHub's webhooks tell it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table code_host_installations (
      id uuid primary key default gen_random_uuid(),
      installation_id bigint not null constraint code_host_installations_installation_id_key unique,
      account_login text not null,
      account_type text,
      repos text[] not null default '{}',
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table code_host_installations');
}
