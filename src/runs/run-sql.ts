import { qualified } from '../db/database.ts';

/** Sorts runs of one pull request: those of its head, then the newest. A force-push may bring an earlier head back. */
export const HEAD_FIRST_SQL = 'test_runs.git_outdated, test_runs.created_at desc';

/** The columns of a run in a list, which does not show its configuration. */
export const RUN_SUMMARY_COLUMNS = [
  ...qualified('test_runs', [
    'id',
    // In the suite, from 1.
    'number',
    'trigger',
    // The API token that started it.
    'token_name',
    // Of the pull request.
    'git_title',
    // The first line of the commit's message.
    'git_message',
    'test_suite_id',
    'status',
    'run_type',
    'review_state',
    // The site to capture. Its origin replaces that of the suite.
    'target_base_url',
    // The uploaded build that answers in place of the suite's own site.
    'build_id',
    'git_pr_number',
    'git_head_sha',
    'git_branch',
    'git_base_branch',
    // The open pull request whose head branch is the base.
    'git_base_number',
    'git_preview_url',
    'git_check_run_id',
    'git_installation_id',
    'git_enqueued',
    // The pull request's changes of the suite's configuration.
    'git_config_change',
    // The number of the last verdict on the run or one of its results; 0 when there was none.
    'verdict_number',
    // How many results are in each section of a review, by `page_results.review_rank`. A trigger keeps these counts.
    'section_counts',
    // How many have an approval.
    'approved_results',
    // Everything is captured, even what could be proven unchanged.
    'renders_all',
    // A hash of the settings that the pull request loosens. Null: none.
    'settings_hash',
    // Null: nobody has approved that.
    'settings_approved_at',
    // It was approved in an earlier run of the pull request.
    'settings_carried_over',
    'started_at',
    'ended_at',
    'metadata',
    'created_at',
    'updated_at',
  ]),
  // The person who started it, or for whom the token or the workflow acts.
  'test_runs.started_by as started_by_id',
  'test_runs.cancelled_by as cancelled_by_id',
  'test_runs.settings_approved_by as settings_approved_by_id',
  // How many requests for changes are open, to the run and to its results.
  'test_runs.open_requests as change_requests',
  // The run's pull request is merged. If it was gated, approved screenshots become baselines.
  'test_runs.git_merged as is_merged',
  // False for an informational run of a pull request: it does not gate the merge, and its approvals promote nothing.
  'test_runs.git_gated as is_gated',
] as const;

/** The columns of a `Run`. */
export const RUN_COLUMNS = [...RUN_SUMMARY_COLUMNS, 'test_runs.config'] as const;

/** True when the run's repository (in lower case) is still linked to its suite; null when the suite has no link. */
export const IS_STILL_LINKED_SQL = `(lower(test_suites.codehost_owner) = test_runs.git_owner
  and lower(test_suites.codehost_repo) = test_runs.git_repo)`;

/**
 * The installation to use: the suite's while it is linked to the repository, because a reinstalled App has a new id.
 */
export const INSTALLATION_ID_SQL = `(case when ${IS_STILL_LINKED_SQL} then test_suites.codehost_installation_id
  else test_runs.git_installation_id end)`;
