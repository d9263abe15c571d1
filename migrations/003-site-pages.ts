import type { Knex } from 'knex';

/** What a site contains. A page that a person added is looked up by every crawl, linked or not. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table site_pages (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      url text not null,
      path text not null,
      title text,
      status text not null default 'ACTIVE',
      tracked boolean not null default false,
      added_by_hand boolean not null default false,
      first_seen_at timestamptz not null default now(),
      last_seen_at timestamptz not null default now(),
      removed_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint site_pages_suite_path_key unique (test_suite_id, path),
      constraint site_pages_status_check check (status in ('NEW', 'ACTIVE', 'REMOVED'))
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table site_pages');
}
