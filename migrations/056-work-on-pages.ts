import type { Knex } from 'knex';

const STAGE = `(case when control_state = 'DUE' then 0 when current_file is null then 1 else 2 end)`;

/**
 * Slots work on the pages of runs, without a job for each page. `taken_by`: the job of graphile-worker that is at work on the
 * result's page, and a mark of this delivery. `due_at`: not before; null: now. `attempts`: failures of its capture, or of its comparison. `deaths`: how
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
    drop index page_results_pending_index;
    create index page_results_pending_index on page_results (test_run_id, ${STAGE}, deaths, position) where status = 'PENDING';
    create index page_results_failed_index on page_results (id) where status = 'PENDING' and attempts >= 5;
    create index page_results_taken_index on page_results (taken_by) where status = 'PENDING' and taken_by is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index page_results_taken_index;
    drop index page_results_failed_index;
    drop index page_results_pending_index;
    create index page_results_pending_index on page_results (test_run_id) where status = 'PENDING';
    alter table test_runs drop column turn;
    alter table page_results drop column taken_by, drop column due_at, drop column attempts, drop column deaths;
  `);
}
