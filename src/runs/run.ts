import type { ConfigChange } from '../suites/config-file/pull-request-config.ts';
import type { SuiteConfig, SuiteConfigInput } from '../suites/config/suite-config.ts';
import type { RepositoryKey } from '../suites/suite.ts';
import type { Assignee } from './assignees/assignee-sql.ts';
import type { EndReason } from './end-reason.ts';

export const RUN_STATUSES = ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
/** Execution only: a run with visual differences is COMPLETED (docs/rules.md, Runs). */
export type RunStatus = (typeof RUN_STATUSES)[number];

export const RUN_TYPES = ['MANUAL', 'PR', 'BRANCH'] as const;
export type RunType = (typeof RUN_TYPES)[number];

export const RUN_TRIGGERS = ['USER', 'TOKEN', 'WORKFLOW', 'PUSH', 'MERGE', 'CRAWL', 'SCHEDULE'] as const;
/**
 * What started a run: a person, an API token, a workflow, a push to a pull request, a merge, the first crawl, or a
 * schedule.
 */
type RunTrigger = (typeof RUN_TRIGGERS)[number];

export const REVIEW_STATES = ['NOT_REQUIRED', 'PENDING', 'APPROVED'] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

export const IN_FLIGHT: RunStatus[] = ['PENDING', 'RUNNING'];

export function isInFlight(status: RunStatus): boolean {
  return IN_FLIGHT.includes(status);
}

/** Runs that ended by themselves, so their results can be approved. Results of a cancelled run cannot. */
export const DECIDABLE: RunStatus[] = ['COMPLETED', 'FAILED'];

export function isDecidable(status: RunStatus): boolean {
  return DECIDABLE.includes(status);
}

/** Whether ERROR results may be captured again in place. This is allowed while the run is in flight, too. */
export function isRerunnable(status: RunStatus): boolean {
  return status !== 'CANCELLED';
}

export type PullRequestKey = RepositoryKey & { number: number };

/** In characters. */
export const BRANCH_MAX_LENGTH = 255;

type RunGit = {
  prNumber?: number;
  /** Of the pull request. */
  title?: string;
  headSha?: string;
  /** The first line of the commit's message. */
  message?: string;
  branch?: string;
  baseBranch?: string;
  /** The open pull request whose head branch is the base. */
  basePullRequest?: number;
  previewUrl?: string;
  checkRunId?: number;
  installationId?: number;
  enqueued?: boolean;
  /** The pull request's changes of the suite's configuration. */
  configChange?: ConfigChange;
};

/** Counters of a finished run, and why it ended if it did not complete. */
export type RunMetadata = {
  totalPages?: number;
  totalScreenshots?: number;
  passedTests?: number;
  failedTests?: number;
  errorTests?: number;
  /** How many of the screenshots were proven unchanged. */
  provenScreenshots?: number;
  error?: string;
  cancelledAt?: string;
  reason?: EndReason;
  /** For the reason `superseded`: the new head of the pull request. */
  by?: string;
};

export type Run = {
  id: string;
  /** In the suite, from 1. */
  number: number;
  testSuiteId: string;
  status: RunStatus;
  runType: RunType;
  reviewState: ReviewState;
  /** The uploaded build that answers in place of the suite's own site. */
  buildId: string | null;
  /** The site to capture. Its origin replaces that of the suite. */
  targetBaseUrl: string;
  /**
   * A copy of the suite's config from the start of the run, including changes by the pull request, so that later edits
   * don't affect the run.
   */
  config: SuiteConfig;
  git: RunGit | null;
  /** Null for a run from before this was recorded. */
  trigger: RunTrigger | null;
  /** The person who started it, or for whom the token or the workflow acts. */
  startedById: string | null;
  /** The API token that started it. */
  tokenName: string | null;
  cancelledById: string | null;
  /** For a run after a merge. */
  merged: Pick<RunGit, 'prNumber' | 'title' | 'headSha'> | null;
  /** The run's pull request is merged. If it was gated, approved screenshots become baselines. */
  isMerged: boolean;
  /**
   * False for an informational run of a pull request: it does not gate the merge, and its approvals promote nothing.
   */
  isGated: boolean;
  /** The number of the last verdict on the run or one of its results; 0 when there was none. */
  verdictNumber: number;
  /** How many requests for changes are open, to the run and to its results. */
  changeRequests: number;
  /** How many results are in each section of a review, by `page_results.review_rank`. A trigger keeps these counts. */
  sectionCounts: number[];
  /** How many have an approval. */
  approvedResults: number;
  /** Everything is captured, even what could be proven unchanged. */
  rendersAll: boolean;
  /** A hash of the settings that the pull request loosens. Null: none. */
  settingsHash: string | null;
  /** Null: nobody has approved that. */
  settingsApprovedAt: Date | null;
  settingsApprovedById: string | null;
  /** It was approved in an earlier run of the pull request. */
  settingsCarriedOver: boolean;
  startedAt: Date | null;
  endedAt: Date | null;
  metadata: RunMetadata | null;
  createdAt: Date;
  updatedAt: Date;
};

/** The pull request was merged into a base branch, so approvals are baselines, or become baselines at once. */
export function isInBase({ isMerged, isGated }: Pick<Run, 'isMerged' | 'isGated'>): boolean {
  return isMerged && isGated;
}

declare module '../db/json.ts' {
  interface JsonColumns {
    'test_runs.config': SuiteConfigInput;
    'test_runs.git_config_change': ConfigChange;
    'test_runs.metadata': RunMetadata;
    'test_runs.unmatched_selectors': string[];
  }
}

/** A run, and whether its pull request changes how its suite judges, which few do. */
export type FoundRun = Run & { changesSettings: boolean; assignees: Assignee[] };

/** A run in a list, without its configuration, which is most of it. */
export type RunSummary = Omit<Run, 'config'>;

/** Whether the run waits for its assignees. */
export const waitsForReview = ({ status, reviewState, isGated }: Pick<Run, 'status' | 'reviewState' | 'isGated'>) =>
  isGated && isDecidable(status) && reviewState === 'PENDING';

/** Whether it makes sense to assign the run: it waits for a review, or may turn out to. */
export const isAssignable = (run: Pick<Run, 'status' | 'reviewState' | 'isGated'>) =>
  isInFlight(run.status) || waitsForReview(run);
