import type { Knex } from 'knex';

/**
 * Pull requests that are based on one another, and branches that are behind. `git_base_number` is the open pull request
 * whose head branch is the base of the run's. `git_merge_bases` keeps what the code host told: the commit where the
 * run's head left the history of another commit never changes. `cause_pr_number` and `cause_version` are what a cause
 * refers to. The merge commit of a version tells later whether a branch has the change.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table pull_requests add column from_fork boolean;
    create index pull_requests_head_branch_index on pull_requests (owner, repo, head_branch);
    create index pull_requests_base_branch_index on pull_requests (owner, repo, base_branch);
    alter table test_runs add column git_base_number integer, add column git_merge_bases jsonb;
    create index test_runs_base_number_index on test_runs (test_suite_id, git_base_number)
      where git_base_number is not null;
    alter table page_results add column cause_pr_number integer, add column cause_version integer;
    alter table baseline_versions add column merge_commit_sha text;
    update baseline_versions set merge_commit_sha = pulls.merge_commit_sha
    from test_runs, pull_requests as pulls
    where baseline_versions.source = 'PR_MERGE' and test_runs.id = baseline_versions.test_run_id
      and pulls.owner = test_runs.git_owner and pulls.repo = test_runs.git_repo
      and pulls.number = test_runs.git_pr_number;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table baseline_versions drop column merge_commit_sha;
    alter table page_results drop column cause_pr_number, drop column cause_version;
    alter table test_runs drop column git_base_number, drop column git_merge_bases;
    drop index pull_requests_base_branch_index;
    drop index pull_requests_head_branch_index;
    alter table pull_requests drop column from_fork;
  `);
}
