import { notNull } from '../db/database.ts';
import type { SelectedRow } from '../db/query.ts';
import type { EndReason } from '../runs/run.ts';
import type { SettingsDraft } from '../runs/settings-change/settings-change.ts';
import type { ConfigChange } from '../suites/config-file/pull-request-config.ts';
import type { SuiteConfig } from '../suites/config/suite-config.ts';
import type { PullRequest } from './pull-request.ts';

export type CommitKey = { owner: string; repo: string; headSha: string };

/** A pull request's head, with everything that a run of it needs. */
export type PullRequestHead = Pick<
  PullRequest,
  'owner' | 'repo' | 'number' | 'title' | 'headSha' | 'headBranch' | 'baseBranch' | 'installationId'
>;

export const PULL_REQUEST_RUN_COLUMNS = [
  'id',
  'test_suite_id',
  'status',
  'git_owner as owner',
  'git_repo as repo',
  'git_pr_number as number',
  'git_title as title',
  'git_head_sha as head_sha',
  'git_branch as head_branch',
  'git_base_branch as base_branch',
  'git_installation_id as installation_id',
  'git_attempt as attempt',
  // False until its preview is known and its captures are queued.
  'git_enqueued as enqueued',
  // Whether it gates the merge: its base is one of the suite's base branches.
  'git_gated as is_gated',
  // The open pull request whose head branch is the base.
  'git_base_number as base_pull_request',
  // The outcome of the search for its preview. Null: there was no search.
  'git_preview_search as search',
  // The run waits for a preview until this time.
  'preview_deadline',
  'created_at',
  'metadata',
] as const;

/** One attempt for a (suite, pull request, head). */
export type PullRequestRun = ReturnType<typeof toPullRequestRun>;

export function toPullRequestRun({ metadata, ...row }: SelectedRow<'test_runs', typeof PULL_REQUEST_RUN_COLUMNS>) {
  const run = notNull(
    row,
    'owner',
    'repo',
    'number',
    'headSha',
    'headBranch',
    'baseBranch',
    'installationId',
    'enqueued',
    'previewDeadline',
  );
  return { ...run, reason: metadata?.reason ?? null };
}

/**
 * When a head may have another attempt: only if the last one ended for one of these reasons, or after any end if a
 * person asks to run again. Never while the last attempt is in flight.
 */
export type AgainAfter = readonly EndReason[] | 'any end';

/** The ends of a run without a preview: it can be repeated once there may be one, or a build. */
export const WITHOUT_PREVIEW: readonly EndReason[] = [
  'preview_ambiguous',
  'preview_failed',
  'preview_skipped',
  'preview_timeout',
  'preview_unusable',
];

/**
 * What a search for a preview went by: the run's base branch, and the `blobSha` of the suite's configuration file. Its
 * outcome holds only for these.
 */
export type JudgedBy = { baseBranch: string; suiteId: string; file: string | null };

/** If the pull request changes the settings of its suite. */
export type OwnConfig = {
  /** The configuration of its run. */
  config: SuiteConfig;
  /** Null: nothing of the configuration. */
  change: ConfigChange | null;
  settings: SettingsDraft;
};

/**
 * What a run captures: the site at an address, or a build that answers in place of the suite's own site there.
 * `reported`: the preview's address as it was reported, if its pages are below another one. `config`: of the run; as it
 * was when the wait for the preview began, if it is left out.
 */
export type FoundPreview = {
  address: string;
  reported?: string;
  buildId: string | null;
  config?: SuiteConfig;
  own?: OwnConfig | null;
  judgedBy?: JudgedBy;
};
