import type { Knex } from 'knex';

/** The review of a result shows what the log of its run warns of. Most lines of a log are no warnings. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`create index test_run_logs_warnings_index on test_run_logs (test_run_id) where type = 'WARNING'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index test_run_logs_warnings_index');
}
