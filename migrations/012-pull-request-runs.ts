import type { Knex } from 'knex';

/**
 * Runs of pull requests: one for each (suite, pull request, head), and another attempt when the code host asks to run
 * again. `check_shown` is what GitHub was last told, so that a check that GitHub does not show yet can be found.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table test_runs
      add column git_owner text,
      add column git_repo text,
      add column git_attempt integer not null default 1,
      add column preview_deadline timestamptz,
      add column check_name text,
      add column check_shown jsonb,
      add column check_shown_at timestamptz,
      add column check_problem text;
    create unique index test_runs_pull_request_key
      on test_runs (test_suite_id, git_pr_number, git_head_sha, git_attempt) where run_type = 'PR';
    create index test_runs_head_index on test_runs (git_head_sha) where run_type = 'PR';
    create index test_runs_check_index on test_runs (git_check_run_id) where git_check_run_id is not null;

    alter table page_results add column carried_over boolean not null default false;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table page_results drop column carried_over;
    drop index test_runs_pull_request_key, test_runs_head_index, test_runs_check_index;
    alter table test_runs
      drop column git_owner, drop column git_repo, drop column git_attempt, drop column preview_deadline,
      drop column check_name, drop column check_shown, drop column check_shown_at, drop column check_problem;
  `);
}
