import type { Knex } from 'knex';

/**
 * Runs, their results and their log. A run keeps the config that it was started with, so that an edit in between cannot
 * make half of it. Files are object names; addresses are made on reading. Log lines are numbered under the run's row
 * lock: a poll for lines after N can never miss one that commits late.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table test_runs (
      id uuid primary key default gen_random_uuid(),
      test_suite_id uuid not null references test_suites on delete cascade,
      status text not null default 'PENDING',
      run_type text not null default 'MANUAL',
      review_state text not null default 'NOT_REQUIRED',
      target_base_url text not null,
      config jsonb not null,
      git_pr_number integer,
      git_head_sha text,
      git_branch text,
      git_base_branch text,
      git_preview_url text,
      git_check_run_id bigint,
      git_installation_id bigint,
      git_enqueued boolean,
      started_by uuid references users on delete set null,
      started_at timestamptz default now(),
      ended_at timestamptz,
      metadata jsonb,
      total_results integer not null default 0,
      last_log_number integer not null default 0,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint test_runs_status_check check (status in ('PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED')),
      constraint test_runs_run_type_check check (run_type in ('MANUAL', 'PR', 'BRANCH')),
      constraint test_runs_review_state_check check (review_state in ('NOT_REQUIRED', 'PENDING', 'APPROVED'))
    );
    create index test_runs_suite_created_index on test_runs (test_suite_id, created_at desc);
    create index test_runs_in_flight_index on test_runs (test_suite_id) where status in ('PENDING', 'RUNNING');
    create index test_runs_started_by_index on test_runs (started_by);

    create table page_results (
      id uuid primary key default gen_random_uuid(),
      test_run_id uuid not null references test_runs on delete cascade,
      position integer not null,
      url text not null,
      path text not null,
      viewport text not null,
      status text not null default 'PENDING',
      approved boolean not null default false,
      approved_by uuid references users on delete set null,
      approved_at timestamptz,
      is_new boolean not null default false,
      current_file text,
      baseline_file text,
      baseline_version_id uuid,
      diff_file text,
      diff_score double precision,
      error text,
      capture_engine text,
      compare_engine text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint page_results_run_path_viewport_key unique (test_run_id, path, viewport),
      constraint page_results_status_check check (status in ('PENDING', 'PASS', 'FAIL', 'ERROR', 'CANCELLED'))
    );
    create index page_results_pending_index on page_results (test_run_id) where status = 'PENDING';
    create index page_results_approved_by_index on page_results (approved_by);

    create table test_run_logs (
      id uuid primary key default gen_random_uuid(),
      test_run_id uuid not null references test_runs on delete cascade,
      number integer not null,
      type text not null,
      message text not null,
      metadata jsonb,
      progress double precision,
      timestamp timestamptz not null default now(),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint test_run_logs_run_number_key unique (test_run_id, number),
      constraint test_run_logs_type_check
        check (type in ('INFO', 'WARNING', 'ERROR', 'SUCCESS', 'PROGRESS', 'DEBUG', 'SYSTEM'))
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table test_run_logs, page_results, test_runs');
}
