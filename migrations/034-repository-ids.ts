import type { Knex } from 'knex';

/**
 * The code host's own number of the repository that a suite is linked to. It stays when the repository is renamed or
 * transferred, and another repository that gets the name later has another one. Null until the code host has told it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table test_suites
      add column codehost_repository_id bigint,
      add constraint test_suites_codehost_repository_check
        check (codehost_repository_id is null or codehost_owner is not null);
    create index test_suites_repository_id_index on test_suites (codehost_repository_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table test_suites drop column codehost_repository_id');
}
