import type { Knex } from 'knex';

/**
 * Uploaded sites. `stored_as` is the folder of their objects, which builds with the same files share; `digest` tells
 * those. A build is STORING until all of its objects are there.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table builds (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      status text not null default 'STORING',
      digest text not null,
      stored_as uuid not null default gen_random_uuid(),
      files integer not null,
      bytes bigint not null,
      head_sha text,
      created_by uuid references users on delete set null,
      created_at timestamptz not null default now(),
      constraint builds_status_check check (status in ('STORING', 'READY'))
    );
    create index builds_digest_index on builds (test_suite_id, digest);
    create index builds_head_index on builds (test_suite_id, head_sha) where head_sha is not null;
    create index builds_stored_index on builds (stored_as);
    create index builds_created_by_index on builds (created_by);
    create index builds_created_at_index on builds (created_at);

    alter table test_runs add column build_id uuid references builds on delete set null;
    create index test_runs_build_index on test_runs (build_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table test_runs drop column build_id; drop table builds');
}
