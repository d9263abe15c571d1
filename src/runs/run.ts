import type { SuiteConfig } from '../suites/suite-config.ts';
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

/** A run that reached its own end: what it found can be approved. A cancelled one stands for nothing. */
export const DECIDABLE: RunStatus[] = ['COMPLETED', 'FAILED'];

export function isDecidable(status: RunStatus): boolean {
  return DECIDABLE.includes(status);
}

/** Whether results that ended in an error may be captured again, in place; also while the run is in flight. */
export function isRerunnable(status: RunStatus): boolean {
  return status !== 'CANCELLED';
}

/** In lower case. */
export type RepositoryKey = { owner: string; repo: string };

/** The pull request that a run is of. */
export type PullRequestKey = RepositoryKey & { number: number };

/** Characters of a branch's name, at most. */
export const BRANCH_MAX_LENGTH = 255;

export type RunGit = {
  prNumber?: number;
  headSha?: string;
  branch?: string;
  baseBranch?: string;
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
  /** With the reason `superseded`: the head that took this one's place. */
  by?: string;
};

export type Run = {
  id: string;
  testSuiteId: string;
  status: RunStatus;
  runType: RunType;
  reviewState: ReviewState;
  /** The site that is captured; its origin takes the place of the suite's. */
  targetBaseUrl: string;
  /** The suite's config when the run started: an edit meanwhile does not split a run. */
  config: SuiteConfig;
  git: RunGit | null;
  /** Its pull request is merged: what is approved becomes a baseline, and stays one. */
  isMerged: boolean;
  startedAt: Date | null;
  endedAt: Date | null;
  metadata: RunMetadata | null;
  createdAt: Date;
  updatedAt: Date;
};

export type RunRow = Omit<Run, 'git' | 'isMerged'> & {
  gitPrNumber: number | null;
  gitHeadSha: string | null;
  gitBranch: string | null;
  gitBaseBranch: string | null;
  gitPreviewUrl: string | null;
  gitCheckRunId: number | null;
  gitInstallationId: number | null;
  gitEnqueued: boolean | null;
  gitMerged: boolean;
};

function gitOf(row: RunRow): RunGit | null {
  if (row.runType === 'MANUAL') return null;
  return {
    ...(row.gitPrNumber === null ? {} : { prNumber: row.gitPrNumber }),
    ...(row.gitHeadSha === null ? {} : { headSha: row.gitHeadSha }),
    ...(row.gitBranch === null ? {} : { branch: row.gitBranch }),
    ...(row.gitBaseBranch === null ? {} : { baseBranch: row.gitBaseBranch }),
    ...(row.gitPreviewUrl === null ? {} : { previewUrl: row.gitPreviewUrl }),
    ...(row.gitCheckRunId === null ? {} : { checkRunId: row.gitCheckRunId }),
    ...(row.gitInstallationId === null ? {} : { installationId: row.gitInstallationId }),
    ...(row.gitEnqueued === null ? {} : { enqueued: row.gitEnqueued }),
  };
}

export function runOf(row: RunRow): Run {
  return {
    id: row.id,
    testSuiteId: row.testSuiteId,
    status: row.status,
    runType: row.runType,
    reviewState: row.reviewState,
    targetBaseUrl: row.targetBaseUrl,
    config: row.config,
    git: gitOf(row),
    isMerged: row.gitMerged,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    metadata: row.metadata,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
