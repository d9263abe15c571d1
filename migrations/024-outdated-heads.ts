import type { Knex } from 'knex';

/** Which runs are of a head that their pull request no longer has. A force-push may bring it back. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table test_runs add column git_outdated boolean not null default false;
    update test_runs set git_outdated = true from pull_requests
    where run_type = 'PR' and owner = git_owner and repo = git_repo and pull_requests.number = git_pr_number
      and head_sha <> git_head_sha;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table test_runs drop column git_outdated');
}
