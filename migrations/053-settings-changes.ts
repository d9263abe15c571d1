import type { Knex } from 'knex';

/**
 * What a pull request changes in how its suite judges (`settings_changes`, one for a run; `not_captured`: how many results
 * are left without a screenshot that shows what that hides). If something of it loosens,
 * `settings_hash` stands for exactly that, and holds the gate until a person approves it. Results keep what the
 * settings of the base would have shown: by the same screenshot, or by one that was taken with them (`base_file`). What
 * only the pull request leaves out is captured with them, and is no result of the pull request (`left_out`).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table settings_changes (
      test_run_id uuid primary key references test_runs on delete cascade,
      differences jsonb not null,
      own jsonb not null,
      base_config jsonb not null,
      not_captured integer not null default 0,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint settings_changes_differences_check check (jsonb_typeof(differences) = 'array'),
      constraint settings_changes_own_check check (jsonb_typeof(own) = 'object'),
      constraint settings_changes_base_config_check check (jsonb_typeof(base_config) = 'object')
    );
    alter table test_runs
      add column settings_hash text,
      add column settings_approved_by uuid references users on delete set null,
      add column settings_approved_at timestamptz,
      add column settings_carried_over boolean not null default false,
      add column settings_undone_at timestamptz;
    create index test_runs_settings_approved_by_index on test_runs (settings_approved_by);
    alter table page_results
      add column left_out boolean not null default false,
      add column base_state text,
      add column base_file text,
      add column base_elements_file text,
      add column base_status text,
      add column base_score double precision,
      add column base_diff_file text,
      add constraint page_results_base_state_check check (base_state in ('DUE', 'TAKEN', 'FAILED')),
      add constraint page_results_base_status_check check (base_status in ('PASS', 'FAIL'));
    alter table verdicts add column settings boolean not null default false;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table verdicts drop column settings;
    alter table page_results
      drop column left_out,
      drop column base_state,
      drop column base_file,
      drop column base_elements_file,
      drop column base_status,
      drop column base_score,
      drop column base_diff_file;
    alter table test_runs
      drop column settings_hash,
      drop column settings_approved_by,
      drop column settings_approved_at,
      drop column settings_carried_over,
      drop column settings_undone_at;
    drop table settings_changes;
  `);
}
