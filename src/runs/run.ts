import { withoutNulls } from '../db/database.ts';
import type { SelectedRow } from '../db/query.ts';
import { addressAt, isSameBase, siteBase, type SiteBase } from '../net/site-base.ts';
import type { ConfigChange } from '../suites/config-file/pull-request-config.ts';
import { effectiveConfig, type SuiteConfig, type SuiteConfigInput } from '../suites/config/suite-config.ts';
import type { RepositoryKey, Suite } from '../suites/suite.ts';
import { shortSha } from '../text/format.ts';
import type { Assignee } from './assignees/assignee-sql.ts';
import type { RUN_COLUMNS, RUN_SUMMARY_COLUMNS } from './run-sql.ts';

export const RUN_STATUSES = ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
/** Execution only: a run with visual differences is COMPLETED (docs/rules.md, Runs). */
export type RunStatus = (typeof RUN_STATUSES)[number];

export const RUN_TYPES = ['MANUAL', 'PR', 'BRANCH'] as const;
export type RunType = (typeof RUN_TYPES)[number];

/**
 * What started a run: a person, an API token, a workflow, a push to a pull request, a merge, the first crawl, or a
 * schedule.
 */
export const RUN_TRIGGERS = ['USER', 'TOKEN', 'WORKFLOW', 'PUSH', 'MERGE', 'CRAWL', 'SCHEDULE'] as const;

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

const quoted = (statuses: readonly string[]) => statuses.map((status) => `'${status}'`).join(', ');

/** The SQL form of `isInFlight`, for a status column. */
export function inFlightSql(column: string): string {
  return `${column} in (${quoted(IN_FLIGHT)})`;
}

/** The SQL form of `isDecidable`. */
export function decidableSql(column: string): string {
  return `${column} in (${quoted(DECIDABLE)})`;
}

/** Whether ERROR results may be captured again in place. This is allowed while the run is in flight, too. */
export function isRerunnable(status: RunStatus): boolean {
  return status !== 'CANCELLED';
}

export type PullRequestKey = RepositoryKey & { number: number };

/** The largest value of an `integer` column. */
export const INTEGER_MAX = 2_147_483_647;

/** In characters. */
export const BRANCH_MAX_LENGTH = 255;

/** Counters of a finished run, and why it ended if it did not complete. */
export type RunMetadata = {
  totalPages?: number;
  totalScreenshots?: number;
  passedTests?: number;
  failedTests?: number;
  errorTests?: number;
  /** How many of the screenshots were proven unchanged. */
  provenScreenshots?: number;
  /** How many tracked pages were left out because the last crawl did not find them. */
  removedPages?: number;
  error?: string;
  cancelledAt?: string;
  reason?: EndReason;
  /** For the reason `superseded`: the new head of the pull request. */
  by?: string;
};

/** A run in a list, without its configuration, which is most of it. */
export type RunSummary = ReturnType<typeof toRunSummary>;

export type Run = RunSummary & {
  /**
   * A copy of the suite's config from the start of the run, including changes by the pull request, so that later edits
   * don't affect the run.
   */
  config: SuiteConfig;
};

export function toRunSummary({
  gitPrNumber: prNumber,
  gitTitle: title,
  gitHeadSha: headSha,
  gitMessage: message,
  gitBranch: branch,
  gitBaseBranch: baseBranch,
  gitBaseNumber: basePullRequest,
  gitPreviewUrl: previewUrl,
  gitCheckRunId: checkRunId,
  gitInstallationId: installationId,
  gitEnqueued: enqueued,
  gitConfigChange: configChange,
  ...run
}: SelectedRow<'test_runs', typeof RUN_SUMMARY_COLUMNS>) {
  const isOfSite = run.runType === 'MANUAL';
  const commit = withoutNulls({ prNumber, title, headSha, message });
  const preview = { previewUrl, checkRunId, installationId, enqueued, configChange };
  const git = { ...commit, ...withoutNulls({ branch, baseBranch, basePullRequest, ...preview }) };
  return {
    ...run,
    git: isOfSite ? null : git,
    /** For a run after a merge. */
    merged: isOfSite && headSha !== null ? commit : null,
  };
}

/** In runs from before an upgrade, newer configuration fields have their defaults. */
export function toRun({ config, ...summary }: SelectedRow<'test_runs', typeof RUN_COLUMNS>): Run {
  return { ...toRunSummary(summary), config: effectiveConfig(config) };
}

/** How many results the run has, settled or not. */
export const sumResults = ({ sectionCounts }: Pick<Run, 'sectionCounts'>): number =>
  sectionCounts.reduce((sum, results) => sum + results, 0);

/** The pull request was merged into a base branch, so approvals are baselines, or become baselines at once. */
export function isInBase({ isMerged, isGated }: Pick<Run, 'isMerged' | 'isGated'>): boolean {
  return isMerged && isGated;
}

/** What is approved in the run becomes a baseline at once, not at a merge. */
export function promotesAtOnce(run: Pick<Run, 'runType' | 'isMerged' | 'isGated'>): boolean {
  return run.runType !== 'PR' || isInBase(run);
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

/** Whether the run waits for its assignees. */
export const waitsForReview = ({ status, reviewState, isGated }: Pick<Run, 'status' | 'reviewState' | 'isGated'>) =>
  isGated && isDecidable(status) && reviewState === 'PENDING';

/** Whether it makes sense to assign the run: it waits for a review, or may turn out to. */
export const isAssignable = (run: Pick<Run, 'status' | 'reviewState' | 'isGated'>) =>
  isInFlight(run.status) || waitsForReview(run);

/** Where a run captures the suite's pages. */
export type RunTarget = {
  base: SiteBase;
  site: SiteBase;
  /** It captures the suite's own site, as it is now. A build only has the site's address. */
  isOwnSite: boolean;
};

export function runTarget(
  { baseUrl }: Pick<Suite, 'baseUrl'>,
  { runType, targetBaseUrl, buildId }: Pick<Run, 'runType' | 'targetBaseUrl' | 'buildId'>,
): RunTarget {
  const [base, site] = [siteBase(targetBaseUrl), siteBase(baseUrl)];
  return { base, site, isOwnSite: buildId === null && (runType === 'MANUAL' || isSameBase(base, site)) };
}

/**
 * The address of a page at the target. On the site itself that is its own address, for every page of the host.
 * Elsewhere only pages below the base exist.
 * @returns null for a page outside of the suite's base
 */
export function addressAtTarget({ base, site, isOwnSite }: RunTarget, path: string): string | null {
  return isOwnSite ? base.origin + path : addressAt(base, site, path);
}

/** Why a run ended without capturing every page: `metadata.reason`. Clients read these values: never change them. */
export type EndReason =
  | 'cancelled by a user'
  | 'superseded'
  | 'pull_request_closed'
  | 'suite_unlinked'
  | 'suite_inactive'
  | 'preview_timeout'
  | 'preview_unusable'
  | 'preview_failed'
  | 'preview_skipped'
  | 'preview_ambiguous'
  | 'preview_replaced'
  | 'config_file'
  | 'no_tracked_pages'
  | 'tracked_pages_removed'
  | 'draft_ignored'
  | 'paths_unchanged';

/** `by` is the new head of the pull request, for a superseded run. */
export type EndCause = { reason: EndReason; by?: string };

const PHRASES: Record<Exclude<EndReason, 'superseded'>, string> = {
  'cancelled by a user': 'Cancelled by a user',
  pull_request_closed: 'The pull request was closed',
  suite_unlinked: 'The suite was unlinked from this repository',
  suite_inactive: 'The suite was deactivated',
  preview_timeout: 'No preview deployment arrived',
  preview_unusable: 'The preview deployment could not be captured',
  preview_failed: 'The preview deployment failed',
  preview_skipped: 'The preview deployment was skipped',
  preview_ambiguous: 'Several preview deployments fit',
  preview_replaced: 'The preview was deployed again',
  config_file: 'The configuration file is not valid',
  no_tracked_pages: 'No tracked pages',
  tracked_pages_removed: 'The last crawl found none of the tracked pages',
  draft_ignored: 'Draft pull requests are not captured',
  paths_unchanged: 'No changed files affect the pages',
};

/**
 * The reason as a sentence without a full stop, for lists, notices, logs and the title of a check.
 * @param person who cancelled the run, if that is known
 */
export function describeEnd({ reason, by }: { reason: EndReason; by?: string | undefined }, person?: string): string {
  if (reason === 'cancelled by a user' && person !== undefined) return `Cancelled by ${person}`;
  if (reason !== 'superseded') return PHRASES[reason];
  return by === undefined ? 'Superseded by a newer commit' : `Superseded by ${shortSha(by)}`;
}

/** The same for a run's metadata; null when it has no reason. */
export function describeEnding(metadata: Partial<EndCause> | null, person?: string): string | null {
  return metadata?.reason === undefined ? null : describeEnd({ reason: metadata.reason, by: metadata.by }, person);
}
