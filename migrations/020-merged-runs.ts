import type { Knex } from 'knex';

/**
 * Whether the pull request of a run is merged, kept with the run: reviews ask it of a run that they have locked, and
 * the table of pull requests is not theirs to read.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table test_runs add column git_merged boolean not null default false');
  await knex.raw(
    `update test_runs set git_merged = true
     from pull_requests
     where test_runs.run_type = 'PR' and pull_requests.state = 'MERGED'
       and pull_requests.owner = test_runs.git_owner and pull_requests.repo = test_runs.git_repo
       and pull_requests.number = test_runs.git_pr_number`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table test_runs drop column git_merged');
}
