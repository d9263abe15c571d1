import type { Knex } from 'knex';

/**
 * What a page was made of when its screenshot was taken (`manifest_file`), what was found when that was asked for again
 * (`proof`), how far a suite's proofs are trusted (`proof_record`), and whether a run uses none (`renders_all`). Null: nothing is
 * known.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table page_results add column manifest_file text, add column proof jsonb;
    alter table baseline_versions add column manifest_file text;
    alter table test_suites add column proof_record jsonb;
    alter table test_runs add column renders_all boolean not null default false;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table page_results drop column manifest_file, drop column proof;
    alter table baseline_versions drop column manifest_file;
    alter table test_suites drop column proof_record;
    alter table test_runs drop column renders_all;
  `);
}
