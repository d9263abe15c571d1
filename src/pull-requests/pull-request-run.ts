import type { EndReason } from '../runs/end-reason.ts';
import type { RunStatus } from '../runs/run.ts';
import type { SettingsDraft } from '../runs/settings-change/settings-change.ts';
import type { ConfigChange } from '../suites/config-file/pull-request-config.ts';
import type { SuiteConfig } from '../suites/config/suite-config.ts';
import type { PreviewSearch } from './previews/preview-search.ts';
import type { PullRequest } from './pull-request.ts';

export type CommitKey = { owner: string; repo: string; headSha: string };

/** A pull request's head, with everything that a run of it needs. */
export type PullRequestHead = Pick<
  PullRequest,
  'owner' | 'repo' | 'number' | 'title' | 'headSha' | 'headBranch' | 'baseBranch' | 'installationId'
>;

/** One attempt for a (suite, pull request, head). */
export type PullRequestRun = PullRequestHead & {
  id: string;
  testSuiteId: string;
  status: RunStatus;
  attempt: number;
  /** False until its preview is known and its captures are queued. */
  enqueued: boolean;
  /** The open pull request whose head branch is the base. */
  basePullRequest: number | null;
  /** Whether it gates the merge: its base is one of the suite's base branches. */
  isGated: boolean;
  reason: EndReason | null;
  /** The outcome of the search for its preview. Null: there was no search. */
  search: PreviewSearch | null;
  /** The run waits for a preview until this time. */
  previewDeadline: Date;
  createdAt: Date;
};

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

/** If the pull request changes the settings of its suite. */
export type OwnConfig = {
  /** The configuration of its run. Null: the suite's. */
  config: SuiteConfig | null;
  /** Null: nothing of the configuration. */
  change: ConfigChange | null;
  settings: SettingsDraft;
};

/**
 * What a run captures: the site at an address, or a build that answers in place of the suite's own site there.
 * `reported`: the preview's address as it was reported, if its pages are below another one.
 */
export type FoundPreview = { address: string; reported?: string; buildId: string | null; own?: OwnConfig | null };
