import type { Knex } from 'knex';

/**
 * What a person decided about the cause of a difference outlasts every later judgement. A run that is in flight when
 * something happens that decides about its results, such as a merge, is judged again as soon as it has ended.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table page_results add column counted_as_change boolean not null default false;
    alter table test_runs add column judge_again boolean not null default false;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table test_runs drop column judge_again;
    alter table page_results drop column counted_as_change;
  `);
}
