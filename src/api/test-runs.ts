import { formatCount } from '../text/format.ts';
import { approveRun } from '../review/approval/approve-run.ts';
import { countAsChange } from '../review/approval/count-as-change.ts';
import { undoApproval } from '../review/approval/undo-approval.ts';
import { cancelRun } from '../runs/cancel-run.ts';
import { listResults } from '../runs/results/list-results.ts';
import { listRuns, listRunsOfSuite } from '../runs/list-runs.ts';
import { readLogs } from '../runs/log/read-logs.ts';
import { getRunFor, readResult, readRun } from '../runs/read-run.ts';
import { rerunErrors } from '../runs/rerun-errors.ts';
import { getSuiteFor } from '../suites/read-suite.ts';
import {
  presentGroupedResults,
  presentLog,
  presentResult,
  presentRunDetail,
  presentRunWithSuite,
} from './present-run.ts';
import { route } from './api-route.ts';
import { MessageResponse, RunParams } from './schemas/common-schemas.ts';
import { LogsQuery, TestRunLogsResponse, TestRunResultsResponse } from './schemas/run-report-schemas.ts';
import * as runs from './schemas/run-schemas.ts';

const tag = 'Test runs';

export const getTestRuns = route(
  {
    operationId: 'listTestRuns',
    suiteToken: true,
    summary: 'List the runs of the suites that the caller has access to, newest first',
    tag,
    status: 200,
    query: runs.ListTestRunsQuery,
    response: runs.TestRunsListResponse,
    failures: { 404: 'The suite does not exist, or the caller has no access to it' },
  },
  async (ctx, { viewer, query }) => {
    const { testSuiteId, status, limit, offset } = query;
    const suiteId = testSuiteId ?? viewer.within?.suiteId;
    const suite = suiteId === undefined ? null : await getSuiteFor(ctx, viewer, suiteId, 'suite.read');
    const filter = { statuses: status === undefined ? undefined : [status] };
    const part = { limit, offset };
    const page = await (suite === null
      ? listRuns(ctx, viewer, filter, part)
      : listRunsOfSuite(ctx, suite, filter, part));
    const hasMore = offset + page.runs.length < page.total;
    return {
      testRuns: page.runs.map(presentRunWithSuite),
      pagination: { total: page.total, limit, offset, hasMore },
    };
  },
);

export const getTestRun = route(
  {
    operationId: 'readTestRun',
    suiteToken: true,
    summary: 'Read a run with its suite and all its results',
    tag,
    status: 200,
    params: RunParams,
    response: runs.TestRunDetail,
  },
  async (ctx, { viewer, params }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.read');
    return presentRunDetail(ctx.config, await readRun(ctx, run));
  },
);

export const patchTestRun = route(
  {
    operationId: 'updateTestRun',
    suiteToken: true,
    summary: 'Cancel a run in progress',
    tag,
    status: 200,
    params: RunParams,
    body: runs.UpdateTestRunInput,
    response: runs.TestRunDetail,
    failures: { 409: 'The run has already finished' },
  },
  async (ctx, { viewer, params }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.run');
    return presentRunDetail(ctx.config, await cancelRun(ctx, run));
  },
);

export const getLogs = route(
  {
    operationId: 'listTestRunLogs',
    suiteToken: true,
    summary: "Read a run's log, oldest line first",
    description: 'Poll with `after`, the ID of the last line you have, to get only newer lines.',
    tag,
    status: 200,
    params: RunParams,
    query: LogsQuery,
    response: TestRunLogsResponse,
  },
  async (ctx, { viewer, params, query }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.read');
    const logs = await readLogs(ctx, run, query.after);
    return { testRunId: params.id, logs: logs.map(presentLog), count: logs.length };
  },
);

export const getResults = route(
  {
    operationId: 'listTestRunResults',
    suiteToken: true,
    summary: "Read a run's results grouped by path, with a count for each status",
    tag,
    status: 200,
    params: RunParams,
    query: runs.ListResultsQuery,
    response: TestRunResultsResponse,
  },
  async (ctx, { viewer, params, query }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.read');
    return presentGroupedResults(ctx.config, await listResults(ctx, run, query));
  },
);

export const postApproveVisuals = route(
  {
    operationId: 'approveVisuals',
    summary: 'Approve changed and new results',
    description:
      'Approved results of a MANUAL or BRANCH run become baselines immediately. Those of a PR run become baselines when the pull request is merged. If nothing is left to approve, nothing changes.',
    tag,
    status: 200,
    params: RunParams,
    body: runs.ApproveVisualsInput,
    bodyOptional: true,
    response: MessageResponse,
    failures: { 409: 'The run is in progress, cancelled or superseded' },
  },
  async (ctx, { viewer, params, body }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.approve');
    const { resultIds, note } = body;
    const { approved } = await approveRun(ctx, run, { resultIds, note: note ?? undefined });
    return { message: approved === 0 ? 'Nothing to approve' : `Approved ${formatCount(approved, 'result')}` };
  },
);

export const postRerun = route(
  {
    operationId: 'rerunPage',
    suiteToken: true,
    summary: "Re-run a page's ERROR results, in place",
    tag,
    status: 202,
    params: RunParams,
    body: runs.RerunPageInput,
    response: runs.RerunPageResponse,
    failures: { 409: 'The page has no ERROR results' },
  },
  async (ctx, { viewer, params, body }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.run');
    const rerunCount = await rerunErrors(ctx, run, body);
    return { message: `Re-running ${formatCount(rerunCount, 'result')}`, testRunId: params.id, rerunCount };
  },
);

export const patchResult = route(
  {
    operationId: 'updateResult',
    summary: 'Decide about one result',
    description:
      'Counts a difference that does not hold the gate as a change, approves the result, or undoes its approval.',
    tag,
    status: 200,
    params: runs.ResultParams,
    body: runs.UpdateResultInput,
    response: runs.PageResult,
    failures: { 409: 'The run is in progress or was cancelled, or it is too late for the decision' },
  },
  async (ctx, { viewer, params, body }) => {
    const run = await getRunFor(ctx, viewer, params.id, 'suite.approve');
    const { id } = await readResult(ctx, run, params.resultId);
    const resultIds = [id];
    if (body.cause !== undefined) await countAsChange(ctx, run, id);
    if (body.decision === 'approve') await approveRun(ctx, run, { resultIds, note: body.note ?? undefined });
    if (body.decision === 'undo') await undoApproval(ctx, run, { resultIds });
    return presentResult(ctx.config, await readResult(ctx, run, id));
  },
);
