import type { Knex } from 'knex';

/**
 * What passes the walls of a suite's site. The values are sealed; kinds and names are kept readable beside them. They
 * hold for the origin that they were entered for, so that who may change a suite's address can't send them elsewhere.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table site_access (
      test_suite_id uuid primary key references test_suites on delete cascade,
      -- Of what was last written. What a login gave is kept under it.
      revision uuid not null default gen_random_uuid(),
      origin text not null,
      preview_hosts jsonb not null,
      kinds jsonb not null,
      sealed text not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );

    create table site_access_changes (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      user_id uuid references users on delete set null,
      -- Empty: the access was removed.
      kinds jsonb not null,
      created_at timestamptz not null default now()
    );
    create index site_access_changes_suite_index on site_access_changes (test_suite_id, created_at desc);
    create index site_access_changes_user_index on site_access_changes (user_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table site_access_changes; drop table site_access');
}
