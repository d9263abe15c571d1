import type { z } from 'zod';
import { toUserSummary } from '../auth/user.ts';
import type { Config } from '../config.ts';
import { imageUrl } from '../http/image-url.ts';
import type { Dashboard } from '../runs/list-runs.ts';
import type { Context } from '../context.ts';
import { countResultsOfRun } from '../runs/list-runs.ts';
import type { ResultList } from '../runs/results/list-results.ts';
import { groupByPath, readResults } from '../runs/results/list-results.ts';
import type { ListedResult, ResultCounts } from '../runs/results/result.ts';
import { countByStatus } from '../runs/results/result.ts';
import type { RunLog } from '../runs/log/run-log.ts';
import type { SettingsReport } from '../runs/settings-change/read-settings.ts';
import { readSettings } from '../runs/settings-change/read-settings.ts';
import { nameRun } from '../runs/run-name.ts';
import type { RunFor } from '../runs/read-run.ts';
import type { RunGit, RunMetadata, RunSummary } from '../runs/run.ts';
import { describeDifference } from '../suites/config-file/settings-difference.ts';
import { presentSummaryOrNull } from './present-user.ts';
import { presentSuite } from './present-suite.ts';
import type { Streamed } from './streamed.ts';
import type { TestRunLog, UrlStats } from './schemas/run-report-schemas.ts';
import type { SettingsChange } from './schemas/settings-change-schemas.ts';
import type * as shapes from './schemas/run-schemas.ts';

type PublicRun = z.output<typeof shapes.TestRun>;

function presentGit(git: RunGit): NonNullable<PublicRun['git']> {
  const { prNumber, title, headSha, message, branch, baseBranch, previewUrl, checkRunId, installationId } = git;
  const { enqueued, configChange } = git;
  return {
    ...(prNumber === undefined ? {} : { prNumber }),
    ...(title === undefined ? {} : { title }),
    ...(headSha === undefined ? {} : { headSha }),
    ...(message === undefined ? {} : { message }),
    ...(branch === undefined ? {} : { branch }),
    ...(baseBranch === undefined ? {} : { baseBranch }),
    ...(previewUrl === undefined ? {} : { previewUrl }),
    ...(checkRunId === undefined ? {} : { checkRunId }),
    ...(installationId === undefined ? {} : { installationId }),
    ...(enqueued === undefined ? {} : { enqueued }),
    ...(configChange === undefined ? {} : { configChange }),
  };
}

function presentMetadata(metadata: RunMetadata): NonNullable<PublicRun['metadata']> {
  const {
    totalPages,
    totalScreenshots,
    passedTests,
    failedTests,
    errorTests,
    provenScreenshots,
    error,
    cancelledAt,
    reason,
  } = metadata;
  return {
    ...(totalPages === undefined ? {} : { totalPages }),
    ...(totalScreenshots === undefined ? {} : { totalScreenshots }),
    ...(passedTests === undefined ? {} : { passedTests }),
    ...(failedTests === undefined ? {} : { failedTests }),
    ...(errorTests === undefined ? {} : { errorTests }),
    ...(provenScreenshots === undefined ? {} : { provenScreenshots }),
    ...(error === undefined ? {} : { error }),
    ...(cancelledAt === undefined ? {} : { cancelledAt }),
    ...(reason === undefined ? {} : { reason }),
  };
}

export function presentRun(run: RunSummary): PublicRun {
  return {
    id: run.id,
    number: run.number,
    name: nameRun(run),
    testSuiteId: run.testSuiteId,
    status: run.status,
    runType: run.runType,
    buildId: run.buildId,
    git: run.git === null ? null : { ...presentGit(run.git), ...(run.runType === 'PR' ? { gated: run.isGated } : {}) },
    reviewState: run.reviewState,
    startedAt: run.startedAt?.toISOString() ?? null,
    endedAt: run.endedAt?.toISOString() ?? null,
    verdictNumber: run.verdictNumber,
    changeRequests: run.changeRequests,
    metadata: run.metadata === null ? null : presentMetadata(run.metadata),
    trigger: run.trigger,
    startedById: run.startedById,
    tokenName: run.tokenName,
    cancelledById: run.cancelledById,
    createdAt: run.createdAt.toISOString(),
    updatedAt: run.updatedAt.toISOString(),
  };
}

export function presentRunWithSuite(
  run: Dashboard['recentTestRuns'][number],
): z.output<typeof shapes.TestRunWithSuite> {
  const { id, name, baseUrl } = run.testSuite;
  const assignees = run.assignees.map(toUserSummary);
  return { ...presentRun(run), assignees, testSuite: { id, name, baseUrl }, _count: { pageResults: run.resultCount } };
}

function presentBaseSettings(
  { leftOut, baseState, baseFile, baseStatus, baseScore, baseDiffFile, currentFile }: Omit<ListedResult, 'position'>,
  toUrl: (name: string | null) => string | null,
): z.output<typeof shapes.PageResult>['baseSettings'] {
  if (!leftOut && baseState === null && baseStatus === null) return null;
  const captured = leftOut ? (currentFile === null ? 'FAILED' : 'TAKEN') : baseState;
  return {
    captured,
    status: baseStatus,
    diffScore: baseScore,
    currentFile: toUrl(leftOut ? currentFile : baseFile),
    diffFile: toUrl(baseDiffFile),
  };
}

export function presentSettings(settings: SettingsReport | null): z.output<typeof SettingsChange> | null {
  if (settings === null) return null;
  const { hash, review, differences, approvedBy, approvedAt, carriedOver, counts, notCaptured } = settings;
  return {
    id: hash,
    state: review,
    differences: differences.map((difference) => ({ ...difference, summary: describeDifference(difference) })),
    approvedBy: presentSummaryOrNull(approvedBy),
    approvedAt: approvedAt?.toISOString() ?? null,
    carriedOver,
    withBaseSettings: { ...counts, notCaptured },
  };
}

/** Only a proof that replaced a screenshot. */
function presentProof(proof: ListedResult['proof']): z.output<typeof shapes.PageResult>['proof'] {
  return proof?.state === 'USED' ? { at: proof.at, requests: proof.requests } : null;
}

export function presentResult(
  config: Pick<Config, 'cdnBaseUrl' | 'publicUrl'>,
  result: Omit<ListedResult, 'position'>,
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
    verdictNumber: result.verdictNumber,
    changesRequested: result.changesRequested,
    isNew: result.isNew,
    currentFile: toUrl(result.currentFile),
    baselineFile: toUrl(result.baselineFile),
    diffFile: toUrl(result.diffFile),
    diffScore: result.diffScore,
    cause: result.cause,
    causePullRequest: result.causePullRequest,
    causeVersion: result.causeVersion,
    stability: result.stability,
    proof: presentProof(result.proof),
    faint: result.faint,
    cut: result.cut,
    controlFile: toUrl(result.controlFile),
    servers: result.servers,
    leftOut: result.leftOut,
    baseSettings: presentBaseSettings(result, toUrl),
    changeIds: result.changeIds ?? [],
    error: result.error,
    createdAt: result.createdAt.toISOString(),
    updatedAt: result.updatedAt.toISOString(),
  };
}

/** The maximum number of results in the response for a run. */
const RESULTS_OF_A_RUN = 10_000;

/** The results are read while they are sent: there may be thousands. */
export async function presentRunDetail(ctx: Pick<Context, 'config' | 'db'>, run: RunFor): Promise<Streamed> {
  const { config } = ctx;
  const settings = await readSettings(ctx, run, { looks: 0 });
  let sent = 0;
  const toText = (result: ListedResult) => {
    sent += 1;
    return JSON.stringify(presentResult(config, result));
  };
  return {
    before: {
      ...presentRun(run),
      settingsChange: presentSettings(settings),
      assignees: run.assignees.map(toUserSummary),
      testSuite: presentSuite(run.suite),
      _links: { pageResults: `${config.publicUrl}/api/test-runs/${run.id}/results` },
    },
    member: 'pageResults',
    batches: mapBatches(readResults(ctx, run, { limit: RESULTS_OF_A_RUN, after: null }), toText),
    after: async () => ({
      _count: { pageResults: sent < RESULTS_OF_A_RUN ? sent : await countResultsOfRun(ctx, run) },
    }),
  };
}

async function* mapBatches<T>(batches: AsyncIterable<T[]>, toText: (item: T) => string): AsyncGenerator<string[]> {
  for await (const batch of batches) yield batch.map(toText);
}

function presentCounts(counts: ResultCounts): z.output<typeof UrlStats> {
  return { passed: counts.PASS, failed: counts.FAIL, errors: counts.ERROR, pending: counts.PENDING };
}

/** The groups are read while they are sent; the counts of their pages come after them. */
export function presentGroupedResults(
  config: Pick<Config, 'cdnBaseUrl' | 'publicUrl'>,
  { counts, batches }: ResultList,
): Streamed {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const urls: Record<string, z.output<typeof UrlStats>> = {};
  const entry = ([path, results]: [string, ListedResult[]]) => {
    urls[path] = presentCounts(countByStatus(results));
    return `${JSON.stringify(path)}:${JSON.stringify(results.map((result) => presentResult(config, result)))}`;
  };
  return {
    before: { stats: { total, ...presentCounts(counts) } },
    member: 'groups',
    batches: mapBatches(groupByPath(batches), entry),
    isObject: true,
    after: async () => ({ urls }),
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
