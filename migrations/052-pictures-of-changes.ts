import type { Knex } from 'knex';

/**
 * What a change shows in its result, as a hash: the results of a group in which it is the same are one variant. Null for
 * results that were compared before, of which nobody knows whether they show the same.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table result_changes add column picture text,
      add constraint result_changes_picture_check check (picture ~ '^[0-9a-f]{32}$');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table result_changes drop column picture');
}
