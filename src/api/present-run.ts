import type { z } from 'zod';
import type { Config } from '../config.ts';
import { imageUrl } from '../http/image-url.ts';
import type { Dashboard } from '../runs/list-runs.ts';
import type { GroupedResults } from '../runs/results/list-results.ts';
import type { RunDetail } from '../runs/read-run.ts';
import type { PageResult, ResultCounts } from '../runs/results/result.ts';
import type { RunLog } from '../runs/log/run-log.ts';
import type { Run, RunGit, RunMetadata } from '../runs/run.ts';
import { presentSuite } from './present-suite.ts';
import type { TestRunLog, TestRunResultsResponse, UrlStats } from './schemas/run-report-schemas.ts';
import type * as shapes from './schemas/run-schemas.ts';

type PublicRun = z.output<typeof shapes.TestRun>;

function presentGit(git: RunGit): NonNullable<PublicRun['git']> {
  const { prNumber, headSha, branch, baseBranch, previewUrl, checkRunId, installationId, enqueued } = git;
  return {
    ...(prNumber === undefined ? {} : { prNumber }),
    ...(headSha === undefined ? {} : { headSha }),
    ...(branch === undefined ? {} : { branch }),
    ...(baseBranch === undefined ? {} : { baseBranch }),
    ...(previewUrl === undefined ? {} : { previewUrl }),
    ...(checkRunId === undefined ? {} : { checkRunId }),
    ...(installationId === undefined ? {} : { installationId }),
    ...(enqueued === undefined ? {} : { enqueued }),
  };
}

function presentMetadata(metadata: RunMetadata): NonNullable<PublicRun['metadata']> {
  const { totalPages, totalScreenshots, passedTests, failedTests, errorTests, error, cancelledAt, reason } = metadata;
  return {
    ...(totalPages === undefined ? {} : { totalPages }),
    ...(totalScreenshots === undefined ? {} : { totalScreenshots }),
    ...(passedTests === undefined ? {} : { passedTests }),
    ...(failedTests === undefined ? {} : { failedTests }),
    ...(errorTests === undefined ? {} : { errorTests }),
    ...(error === undefined ? {} : { error }),
    ...(cancelledAt === undefined ? {} : { cancelledAt }),
    ...(reason === undefined ? {} : { reason }),
  };
}

export function presentRun(run: Run): PublicRun {
  return {
    id: run.id,
    testSuiteId: run.testSuiteId,
    status: run.status,
    runType: run.runType,
    git: run.git === null ? null : { ...presentGit(run.git), ...(run.runType === 'PR' ? { gated: run.isGated } : {}) },
    reviewState: run.reviewState,
    startedAt: run.startedAt?.toISOString() ?? null,
    endedAt: run.endedAt?.toISOString() ?? null,
    metadata: run.metadata === null ? null : presentMetadata(run.metadata),
    createdAt: run.createdAt.toISOString(),
    updatedAt: run.updatedAt.toISOString(),
  };
}

export function presentRunWithSuite(
  run: Dashboard['recentTestRuns'][number],
): z.output<typeof shapes.TestRunWithSuite> {
  const { id, name, baseUrl } = run.testSuite;
  return { ...presentRun(run), testSuite: { id, name, baseUrl }, _count: { pageResults: run.resultCount } };
}

export function presentResult(
  config: Pick<Config, 'cdnBaseUrl' | 'publicUrl'>,
  result: PageResult,
): z.output<typeof shapes.PageResult> {
  const toUrl = (name: string | null) => (name === null ? null : imageUrl(config, name));
  return {
    id: result.id,
    testRunId: result.testRunId,
    url: result.url,
    path: result.path,
    viewport: result.viewport,
    status: result.status,
    approved: result.approved,
    approvedById: result.approvedById,
    approvedAt: result.approvedAt?.toISOString() ?? null,
    isNew: result.isNew,
    currentFile: toUrl(result.currentFile),
    baselineFile: toUrl(result.baselineFile),
    diffFile: toUrl(result.diffFile),
    diffScore: result.diffScore,
    cause: result.cause,
    causePullRequest: result.causePullRequest,
    causeVersion: result.causeVersion,
    stability: result.stability,
    faint: result.faint,
    cut: result.cut,
    controlFile: toUrl(result.controlFile),
    changeIds: result.changeIds ?? [],
    error: result.error,
    createdAt: result.createdAt.toISOString(),
    updatedAt: result.updatedAt.toISOString(),
  };
}

export function presentRunDetail(
  config: Pick<Config, 'cdnBaseUrl' | 'publicUrl'>,
  { run, suite, results }: RunDetail,
): z.output<typeof shapes.TestRunDetail> {
  return {
    ...presentRun(run),
    testSuite: presentSuite(suite),
    pageResults: results.map((result) => presentResult(config, result)),
  };
}

function presentCounts(counts: ResultCounts): z.output<typeof UrlStats> {
  return { passed: counts.PASS, failed: counts.FAIL, errors: counts.ERROR, pending: counts.PENDING };
}

export function presentGroupedResults(
  config: Pick<Config, 'cdnBaseUrl' | 'publicUrl'>,
  { groups, counts, countsByPath }: GroupedResults,
): z.output<typeof TestRunResultsResponse> {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return {
    groups: Object.fromEntries(
      [...groups].map(([path, results]) => [path, results.map((result) => presentResult(config, result))]),
    ),
    stats: { total, ...presentCounts(counts) },
    urls: Object.fromEntries([...countsByPath].map(([path, ofPath]) => [path, presentCounts(ofPath)])),
  };
}

export function presentLog(log: RunLog): z.output<typeof TestRunLog> {
  const createdAt = log.createdAt.toISOString();
  return {
    id: log.id,
    testRunId: log.testRunId,
    type: log.type,
    message: log.message,
    metadata: log.metadata,
    progress: log.progress,
    timestamp: log.timestamp.toISOString(),
    createdAt,
    // A log line never changes.
    updatedAt: createdAt,
  };
}
