import type { Knex } from 'knex';

/** Warnings and kinds of errors have columns of their own, so that nothing reads the texts but people. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- What a reviewer should know of how the screenshot was taken.
    alter table page_results add column warnings jsonb not null default '[]';
    -- What kind of error it is: what advice is given by.
    alter table page_results add column error_code text check (error_code in (
      'wall', 'gone', 'limited', 'broken', 'status', 'timeout', 'network', 'private', 'blocked', 'crash', 'worker', 'other'
    ));
    -- What the newest run of a suite warned of.
    create index page_results_warned_index on page_results (test_run_id) where warnings <> '[]';
    -- The log says that several pages show the same screen, which asks for a password.
    alter table test_runs add column login_warned boolean not null default false;
    drop index test_run_logs_warnings_index;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create index test_run_logs_warnings_index on test_run_logs (test_run_id) where type = 'WARNING';
    alter table test_runs drop column login_warned;
    alter table page_results drop column warnings, drop column error_code;
  `);
}
