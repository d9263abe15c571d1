import type { Knex } from 'knex';

/**
 * The repository's file that sets a suite's configuration, as it is on the default branch, and what a pull request
 * changes in it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table test_suites add column config_file jsonb;
    alter table test_runs add column git_config_change jsonb;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table test_suites drop column config_file;
    alter table test_runs drop column git_config_change;
  `);
}
