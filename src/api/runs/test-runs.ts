import { invalid } from '../../errors.ts';
import { onRun } from '../../http/acts-on.ts';
import { approveRun } from '../../review/approval/approve-run.ts';
import { countAsChange } from '../../review/approval/count-as-change.ts';
import { decide } from '../../review/approval/decide.ts';
import { sayApproved } from '../../review/approval/describe-decision.ts';
import { assignRun } from '../../runs/assignees/assign-run.ts';
import { cancelRun } from '../../runs/end-run.ts';
import { AWAITING_REVIEW, listRuns, listRunsOfSuite } from '../../runs/list/list-runs.ts';
import { readLogs } from '../../runs/log/read-logs.ts';
import { readResult } from '../../runs/read-run.ts';
import { renderProven, rerunErrors } from '../../runs/rerun-errors.ts';
import { listResults } from '../../runs/results/list-results.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import { formatCount } from '../../text/format.ts';
import { listRoute, route } from '../api-route.ts';
import { MessageResponse } from '../schemas/common-schemas.ts';
import * as results from '../schemas/result-schemas.ts';
import {
  LINES_AT_ONCE,
  LogsQuery,
  RESULTS_AT_ONCE,
  TestRunLogsResponse,
  TestRunResultsResponse,
} from '../schemas/run-report-schemas.ts';
import * as runs from '../schemas/run-schemas.ts';
import { presentGroupedResults, presentResult, presentRunDetail, presentRunWithSuite } from './present-run.ts';

export const getTestRuns = listRoute(
  {
    operationId: 'listTestRuns',
    suiteToken: 'read',
    summary: 'List the runs of the suites that the caller has access to, newest first',
    query: runs.ListTestRunsQuery,
    response: runs.TestRunsListResponse,
    list: runs.RUNS_AT_ONCE,
    failures: { 404: 'The suite does not exist, or the caller has no access to it' },
  },
  async (ctx, { viewer, query, part }) => {
    const { testSuiteId, status, offset, waitingFor, ...asked } = query;
    if (part.after !== null && offset > 0) {
      throw invalid('Send either cursor or offset', [{ path: 'offset', message: 'must not be sent with cursor' }]);
    }
    const suiteId = testSuiteId ?? viewer.within?.suiteId;
    const suite = suiteId === undefined ? null : await getSuiteFor(ctx, viewer, suiteId, 'suite.read');
    const waiting = waitingFor === undefined ? {} : { ...AWAITING_REVIEW, assigneeId: waitingFor };
    const filter = { ...asked, ...waiting, ...(status === undefined ? {} : { statuses: [status] }) };
    const found = await (suite === null
      ? listRuns(ctx, viewer, filter, { ...part, offset })
      : listRunsOfSuite(ctx, suite, filter, { ...part, offset }));
    const { total, next } = found;
    return {
      testRuns: found.runs.map(presentRunWithSuite),
      pagination: { total, limit: part.limit, offset, hasMore: next !== null },
      next,
    };
  },
);

export const getTestRun = route(
  {
    operationId: 'readTestRun',
    suiteToken: 'read',
    summary: 'Read a run with its suite and its first 10,000 results',
    ...onRun('suite.read'),
    response: runs.TestRunDetail,
  },
  async (ctx, { run }) => presentRunDetail(ctx, run),
);

export const patchTestRun = route(
  {
    operationId: 'updateTestRun',
    suiteToken: 'run',
    summary: 'Cancel a run',
    ...onRun('suite.run'),
    body: runs.UpdateTestRunInput,
    response: runs.TestRunDetail,
    failures: { 409: 'The run has already finished' },
  },
  async (ctx, { run }) => presentRunDetail(ctx, { ...run, ...(await cancelRun(ctx, run)) }),
);

export const putAssignees = route(
  {
    operationId: 'assignTestRun',
    summary: 'Say who is to review a run',
    description:
      'Replaces whom it is assigned to. Whoever is removed from the suite is not assigned any longer. The next run of the pull request is assigned to the same people.',
    ...onRun('suite.approve'),
    body: runs.AssignRunInput,
    response: runs.AssignedRun,
    failures: { 422: 'Somebody may not review the suite' },
  },
  async (ctx, { run, body }) => ({ assignees: await assignRun(ctx, run, body.userIds) }),
);

export const getLogs = listRoute(
  {
    operationId: 'listTestRunLogs',
    suiteToken: 'read',
    summary: 'Read a run’s log, oldest line first',
    description: 'Poll with `after`, the ID of the last line you have, to get only newer lines.',
    ...onRun('suite.read'),
    query: LogsQuery,
    response: TestRunLogsResponse,
    list: LINES_AT_ONCE,
  },
  async (ctx, { run, query, part }) => {
    const { items, next } = await readLogs(ctx, run, { ...part, afterLine: query.after });
    // A line never changes.
    const logs = items.map((line) => ({ ...line, updatedAt: line.createdAt }));
    return { testRunId: run.id, logs, count: logs.length, next };
  },
);

export const getResults = listRoute(
  {
    operationId: 'listTestRunResults',
    suiteToken: 'read',
    summary: 'Read a run’s results grouped by path, with a count for each status',
    description: '`limit` counts results. `stats` covers all results, `urls` only those in the response.',
    ...onRun('suite.read'),
    query: results.ListResultsQuery,
    response: TestRunResultsResponse,
    list: RESULTS_AT_ONCE,
  },
  async (ctx, { run, query, part }) => {
    const list = await listResults(ctx, run, { ...query, ...part });
    return { ...presentGroupedResults(ctx.config, list), next: list.next };
  },
);

export const postApproveVisuals = route(
  {
    operationId: 'approveVisuals',
    summary: 'Approve changed and new results',
    description:
      'Approved results of a MANUAL or BRANCH run become baselines immediately. Those of a PR run become baselines when the pull request is merged. If nothing is left to approve, nothing changes.',
    ...onRun('suite.approve'),
    body: runs.ApproveVisualsInput,
    bodyOptional: true,
    response: MessageResponse,
    failures: { 409: 'The run is running, cancelled or superseded, or someone else decided in the meantime' },
  },
  async (ctx, { run, body }) => {
    const { resultIds, note, verdictNumber: seen } = body;
    const done = await approveRun(ctx, run, { resultIds, note: note ?? undefined, seen });
    return { message: sayApproved(run, done).message };
  },
);

export const postRerun = route(
  {
    operationId: 'rerunPage',
    suiteToken: 'run',
    summary: 'Retry a page’s ERROR results in the same run, or capture in it what was proven unchanged',
    status: 202,
    ...onRun('suite.run'),
    body: results.RerunPageInput,
    response: results.RerunPageResponse,
    failures: {
      409: 'The page has no ERROR results, nothing was proven unchanged, or the files of the build were removed (`build_expired`)',
    },
  },
  async (ctx, { run, body }) => {
    if ('render' in body) {
      const pages = await renderProven(ctx, run);
      return { message: `Capturing ${formatCount(pages, 'page')}`, testRunId: run.id, rerunCount: pages };
    }
    const rerunCount = await rerunErrors(ctx, run, body);
    return { message: `Retrying ${formatCount(rerunCount, 'result')}`, testRunId: run.id, rerunCount };
  },
);

export const patchResult = route(
  {
    operationId: 'updateResult',
    summary: 'Decide about one result',
    description:
      'Counts a difference that does not block the gate as a change; or approves the result, requests changes to it, or undoes the last decision: first the caller’s request for changes, then the approval. If an approval has already become a baseline version, undoing it adds the previous version again. This is possible until a later run was compared with it.',
    ...onRun('suite.approve'),
    params: results.ResultParams,
    body: results.UpdateResultInput,
    response: results.PageResult,
    failures: {
      409: 'The run is running or was cancelled, it is too late for the decision (`promoted`), or someone else decided otherwise in the meantime (`decided_meanwhile`)',
    },
  },
  async (ctx, { run, params, body }) => {
    const { id } = await readResult(ctx, run, params.resultId);
    const resultIds = [id];
    if (body.cause !== undefined) await countAsChange(ctx, run, id);
    const { decision, note, verdictNumber: seen } = body;
    if (decision !== undefined) await decide(ctx, run, { decision, resultIds, note, seen });
    return presentResult(await readResult(ctx, run, id));
  },
);
