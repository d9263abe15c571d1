import type { Knex } from 'knex';

/**
 * Slots work on the pages of runs, without a job for each page. `taken_by`: the job of graphile-worker that is at work on the
 * result's page. `due_at`: not before; null: now. `attempts`: failures of its capture, or of its comparison. `deaths`: how
 * often a worker died beside it. `turn`: the turns that a run's captures have had; a run with more of them comes later.
 * The indexes lead to what waits, in its order, and to what is under way.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table page_results
      add column taken_by text,
      add column due_at timestamptz,
      add column attempts smallint not null default 0,
      add column deaths smallint not null default 0;
    alter table test_runs add column turn integer not null default 0;
    create index page_results_to_capture_index
      on page_results (test_run_id, (control_state is null), deaths, position)
      where status = 'PENDING' and (current_file is null or control_state = 'DUE');
    create index page_results_to_compare_index on page_results (test_run_id, deaths, position)
      where status = 'PENDING' and current_file is not null and control_state is distinct from 'DUE';
    create index page_results_failed_index on page_results (id) where status = 'PENDING' and attempts >= 5;
    create index page_results_taken_index on page_results (taken_by) where status = 'PENDING' and taken_by is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index page_results_taken_index;
    drop index page_results_failed_index;
    drop index page_results_to_compare_index;
    drop index page_results_to_capture_index;
    alter table test_runs drop column turn;
    alter table page_results drop column taken_by, drop column due_at, drop column attempts, drop column deaths;
  `);
}
