import type { Knex } from 'knex';

/**
 * Captures of one page with settings that need not be saved, to see what rules do. Only the newest ones of a suite are
 * kept; no baseline and no gate knows of them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table page_trials (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      path text not null,
      viewport text not null,
      config jsonb not null,
      status text not null default 'PENDING',
      file text,
      ignored_boxes jsonb,
      unmatched_selectors jsonb,
      warnings jsonb,
      error text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint page_trials_status_check check (status in ('PENDING', 'DONE', 'ERROR'))
    );
    create index page_trials_suite_index on page_trials (test_suite_id, created_at desc);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table page_trials');
}
