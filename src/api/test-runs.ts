import { counted } from '../http/counted.ts';
import { approveRun } from '../review/approve-run.ts';
import { cancelRun } from '../runs/cancel-run.ts';
import { listResults } from '../runs/list-results.ts';
import { listRuns } from '../runs/list-runs.ts';
import { readLogs } from '../runs/read-logs.ts';
import { readRun } from '../runs/read-run.ts';
import { rerunErrors } from '../runs/rerun-errors.ts';
import { presentGroupedResults, presentLog, presentRunDetail, presentRunWithSuite } from './present-run.ts';
import { route } from './route.ts';
import { MessageResponse, RunParams } from './schemas/common.ts';
import { LogsQuery, TestRunLogsResponse, TestRunResultsResponse } from './schemas/run-reports.ts';
import * as runs from './schemas/test-runs.ts';

const tag = 'Test runs';

export const getTestRuns = route(
  {
    operationId: 'listTestRuns',
    summary: 'Runs of the suites that the caller may read, newest first',
    tag,
    status: 200,
    query: runs.ListTestRunsQuery,
    response: runs.TestRunsListResponse,
    failures: { 404: 'There is no such suite, or the caller has no access to it' },
  },
  async (ctx, { viewer, query }) => {
    const { testSuiteId, status, limit, offset } = query;
    const filter = { testSuiteId, statuses: status === undefined ? undefined : [status] };
    const page = await listRuns(ctx, viewer, filter, { limit, offset });
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
    summary: 'A run with its suite and all its results',
    tag,
    status: 200,
    params: RunParams,
    response: runs.TestRunDetail,
  },
  async (ctx, { viewer, params }) => presentRunDetail(ctx.config, await readRun(ctx, viewer, params.id, 'suite.read')),
);

export const patchTestRun = route(
  {
    operationId: 'updateTestRun',
    summary: 'Cancel a run that is in flight',
    tag,
    status: 200,
    params: RunParams,
    body: runs.UpdateTestRunInput,
    response: runs.TestRunDetail,
    failures: { 409: 'The run is over' },
  },
  async (ctx, { viewer, params }) => presentRunDetail(ctx.config, await cancelRun(ctx, viewer, params.id)),
);

export const getLogs = route(
  {
    operationId: 'listTestRunLogs',
    summary: "A run's log, oldest line first",
    description: 'With `after`, the id of the last line that the caller has, only newer ones: a poll is cheap.',
    tag,
    status: 200,
    params: RunParams,
    query: LogsQuery,
    response: TestRunLogsResponse,
  },
  async (ctx, { viewer, params, query }) => {
    const logs = await readLogs(ctx, viewer, params.id, query.after);
    return { testRunId: params.id, logs: logs.map(presentLog), count: logs.length };
  },
);

export const getResults = route(
  {
    operationId: 'listTestRunResults',
    summary: "A run's results by path, and how many there are of each status",
    tag,
    status: 200,
    params: RunParams,
    response: TestRunResultsResponse,
  },
  async (ctx, { viewer, params }) => presentGroupedResults(ctx.config, await listResults(ctx, viewer, params.id)),
);

export const postApproveVisuals = route(
  {
    operationId: 'approveVisuals',
    summary: 'Approve changed and new results',
    description:
      'Of a MANUAL or BRANCH run they become baselines at once, of a PR run when it is merged. Where nothing is left to approve, nothing changes.',
    tag,
    status: 200,
    params: RunParams,
    body: runs.ApproveVisualsInput,
    bodyOptional: true,
    response: MessageResponse,
    failures: { 409: 'The run is in flight, cancelled or superseded' },
  },
  async (ctx, { viewer, params, body }) => {
    const { resultIds, note } = body;
    const { approved } = await approveRun(ctx, viewer, params.id, { resultIds, note: note ?? undefined });
    return { message: approved === 0 ? 'There was nothing to approve' : `Approved ${counted(approved, 'result')}` };
  },
);

export const postRerun = route(
  {
    operationId: 'rerunPage',
    summary: "Run a page's errored results again, in place",
    tag,
    status: 202,
    params: RunParams,
    body: runs.RerunPageInput,
    response: runs.RerunPageResponse,
    failures: { 409: 'Nothing under the address ended in an error' },
  },
  async (ctx, { viewer, params, body }) => {
    const rerunCount = await rerunErrors(ctx, viewer, params.id, body);
    return { message: `Rerunning ${counted(rerunCount, 'result')}`, testRunId: params.id, rerunCount };
  },
);
