import type { Knex } from 'knex';

/** What the removal of old runs leaves to do, and what each suite has stored. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Objects that a removed run named. Each is removed a day later, unless another row names it.
    create table left_objects (
      test_suite_id uuid not null references test_suites on delete cascade,
      name text not null,
      left_at timestamptz not null default now(),
      constraint left_objects_pkey primary key (test_suite_id, name)
    );
    -- The oldest ones of a suite.
    create index left_objects_due_index on left_objects (test_suite_id, left_at);

    -- What is stored of a suite, as it was counted.
    create table suite_storage (
      test_suite_id uuid primary key references test_suites on delete cascade,
      counted_at timestamptz not null,
      -- By kind: how many, and their bytes.
      kinds jsonb not null
    );

    -- What would go with a run: objects that no newer run names, and nothing that is kept.
    create table run_storage (
      test_run_id uuid primary key references test_runs on delete cascade,
      bytes bigint not null
    );

    -- Comparisons that nobody has looked at for long.
    create index screenshot_comparisons_created_index on screenshot_comparisons (test_suite_id, created_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index screenshot_comparisons_created_index;
    drop table run_storage, suite_storage, left_objects;
  `);
}
