import type { Row } from '../db/row.ts';
import type { RepositoryKey } from '../suites/repository-key.ts';
import type { SuiteConfig, SuiteConfigInput } from '../suites/suite-config.ts';
import { effectiveConfig } from '../suites/suite-config.ts';
import type { EndReason } from './end-reason.ts';

export const RUN_STATUSES = ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
/** Execution only: a run with visual differences is COMPLETED (spec 1.7). */
export type RunStatus = (typeof RUN_STATUSES)[number];

export const RUN_TYPES = ['MANUAL', 'PR', 'BRANCH'] as const;
export type RunType = (typeof RUN_TYPES)[number];

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

/** Identifies a pull request. */
export type PullRequestKey = RepositoryKey & { number: number };

/** In characters. */
export const BRANCH_MAX_LENGTH = 255;

export type RunGit = {
  prNumber?: number;
  headSha?: string;
  branch?: string;
  baseBranch?: string;
  /** The open pull request whose head branch is the base. */
  basePullRequest?: number;
  previewUrl?: string;
  checkRunId?: number;
  installationId?: number;
  enqueued?: boolean;
};

/** Counters of a finished run, and why it ended if it did not complete (spec 2.5). */
export type RunMetadata = {
  totalPages?: number;
  totalScreenshots?: number;
  passedTests?: number;
  failedTests?: number;
  errorTests?: number;
  error?: string;
  cancelledAt?: string;
  reason?: EndReason;
  /** For the reason `superseded`: the new head of the pull request. */
  by?: string;
};

export type Run = {
  id: string;
  testSuiteId: string;
  status: RunStatus;
  runType: RunType;
  reviewState: ReviewState;
  /** The uploaded build that answers in place of the suite's own site. */
  buildId: string | null;
  /** The site to capture. Its origin replaces that of the suite. */
  targetBaseUrl: string;
  /** A copy of the suite's config from the start of the run, so that an edit in between does not affect the run. */
  config: SuiteConfig;
  git: RunGit | null;
  /** The run's pull request is merged. If it was gated, approved screenshots become baselines, which can't be undone. */
  isMerged: boolean;
  /** A run of a pull request for information does not gate its merge, and its approvals promote nothing. */
  isGated: boolean;
  startedAt: Date | null;
  endedAt: Date | null;
  metadata: RunMetadata | null;
  createdAt: Date;
  updatedAt: Date;
};

/** The pull request went into a base branch: approvals are baselines by now, or become it at once. */
export function isInBase({ isMerged, isGated }: Pick<Run, 'isMerged' | 'isGated'>): boolean {
  return isMerged && isGated;
}

declare module '../db/json.ts' {
  interface JsonColumns {
    'test_runs.config': SuiteConfigInput;
    'test_runs.metadata': RunMetadata;
    'test_runs.unmatched_selectors': string[];
  }
}

export type RunRow = Pick<
  Row<'test_runs'>,
  | 'id'
  | 'testSuiteId'
  | 'status'
  | 'runType'
  | 'reviewState'
  | 'targetBaseUrl'
  | 'buildId'
  | 'config'
  | 'gitPrNumber'
  | 'gitHeadSha'
  | 'gitBranch'
  | 'gitBaseBranch'
  | 'gitBaseNumber'
  | 'gitPreviewUrl'
  | 'gitCheckRunId'
  | 'gitInstallationId'
  | 'gitEnqueued'
  | 'gitMerged'
  | 'gitGated'
  | 'startedAt'
  | 'endedAt'
  | 'metadata'
  | 'createdAt'
  | 'updatedAt'
>;

function toRunGit(row: RunRow): RunGit | null {
  if (row.runType === 'MANUAL') return null;
  return {
    ...(row.gitPrNumber === null ? {} : { prNumber: row.gitPrNumber }),
    ...(row.gitHeadSha === null ? {} : { headSha: row.gitHeadSha }),
    ...(row.gitBranch === null ? {} : { branch: row.gitBranch }),
    ...(row.gitBaseBranch === null ? {} : { baseBranch: row.gitBaseBranch }),
    ...(row.gitBaseNumber === null ? {} : { basePullRequest: row.gitBaseNumber }),
    ...(row.gitPreviewUrl === null ? {} : { previewUrl: row.gitPreviewUrl }),
    ...(row.gitCheckRunId === null ? {} : { checkRunId: row.gitCheckRunId }),
    ...(row.gitInstallationId === null ? {} : { installationId: row.gitInstallationId }),
    ...(row.gitEnqueued === null ? {} : { enqueued: row.gitEnqueued }),
  };
}

export function toRun(row: RunRow): Run {
  return {
    id: row.id,
    testSuiteId: row.testSuiteId,
    status: row.status,
    runType: row.runType,
    reviewState: row.reviewState,
    targetBaseUrl: row.targetBaseUrl,
    buildId: row.buildId,
    // Of a run from before an upgrade, what was added to the configuration since has its default.
    config: effectiveConfig(row.config),
    git: toRunGit(row),
    isMerged: row.gitMerged,
    isGated: row.gitGated,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    metadata: row.metadata,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
