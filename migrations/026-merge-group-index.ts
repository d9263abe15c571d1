import type { Knex } from 'knex';

/** Each message to a pull request looks for the groups that contain it. Few pull requests are in a merge queue. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index pull_requests_merge_groups_index on pull_requests (owner, repo) where merge_group is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index pull_requests_merge_groups_index');
}
