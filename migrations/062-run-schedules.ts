import type { Knex } from 'knex';

/**
 * When the next run of a suite with a schedule is due. `schedule` is the setting that it was computed of: where the suite has
 * another one by now, it is computed again.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table run_schedules (
      test_suite_id uuid primary key references test_suites on delete cascade,
      schedule text not null,
      due_at timestamptz not null
    );
    create index run_schedules_due_index on run_schedules (due_at);
    alter table test_runs drop constraint test_runs_trigger_check, add constraint test_runs_trigger_check
      check (trigger in ('USER', 'TOKEN', 'WORKFLOW', 'PUSH', 'MERGE', 'CRAWL', 'SCHEDULE'));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table run_schedules;
    update test_runs set trigger = null where trigger = 'SCHEDULE';
    alter table test_runs drop constraint test_runs_trigger_check, add constraint test_runs_trigger_check
      check (trigger in ('USER', 'TOKEN', 'WORKFLOW', 'PUSH', 'MERGE', 'CRAWL'));
  `);
}
