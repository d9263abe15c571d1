import { z } from 'zod';
import { invalid } from '../../errors.ts';
import { Id, onRun } from '../../http/acts-on.ts';
import { assignRun, REVIEWERS_MAX } from '../../runs/assignees/assign-run.ts';
import { cancelRun } from '../../runs/end-run.ts';
import { AWAITING_REVIEW, listRuns } from '../../runs/list/list-runs.ts';
import { readLogs } from '../../runs/log/read-logs.ts';
import { LOG_TYPES } from '../../runs/log/run-log.ts';
import { renderProven, rerunErrors } from '../../runs/rerun-errors.ts';
import { listResults } from '../../runs/results/list-results.ts';
import { BRANCH_MAX_LENGTH, INTEGER_MAX } from '../../runs/run.ts';
import { SEARCH_MAX_LENGTH, SHA_BEGINNING } from '../../runs/search/run-search.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import { formatCount } from '../../text/format.ts';
import { listRoute, route } from '../api-route.ts';
import {
  assignees,
  ResultCause,
  RunStatus,
  RunType,
  TestRunDetail,
  TestRunResultsResponse,
  TestRunWithSuite,
  VisualReviewState,
} from '../run-schemas.ts';
import {
  inputObject,
  IsoDate,
  named,
  namedObject,
  Pagination,
  PublicId,
  RunAccepted,
  TimePlace,
  wholeNumber,
} from '../suite-schemas.ts';
import { presentGroupedResults, presentRunDetail, presentRunWithSuite } from './present-run.ts';

const ListTestRunsQuery = z.object({
  testSuiteId: Id.optional(),
  status: RunStatus.optional(),
  runType: RunType.optional(),
  reviewState: VisualReviewState.optional(),
  branch: z.string().max(BRANCH_MAX_LENGTH).optional().describe('The exact name of the branch'),
  pullRequest: wholeNumber(1, INTEGER_MAX).optional().describe('The number of a pull request'),
  headSha: z
    .string()
    .toLowerCase()
    .regex(SHA_BEGINNING, 'must be a commit SHA, or at least its first 4 digits')
    .optional()
    .describe('A commit, or the beginning of its SHA'),
  startedById: Id.optional().describe('Runs that this person started'),
  waitingFor: Id.optional().describe('Runs that wait for a review by this person, to whom they are assigned'),
  search: z
    .string()
    .max(SEARCH_MAX_LENGTH)
    .optional()
    .describe(
      'The number of a run or a pull request, the beginning of a commit SHA, or parts of the branch, the title of the pull request or the commit message. All words must match. A part of one or two characters must begin a word',
    ),
  offset: wholeNumber(0, 1_000_000).default(0).describe('How many runs to skip. Cannot be combined with `cursor`.'),
});

const AssignRunInput = inputObject('AssignRunInput', {
  userIds: z
    .array(Id)
    .max(REVIEWERS_MAX)
    .describe('People with the role REVIEWER or higher: see `GET /test-suites/{id}/access`. Empty: nobody'),
});

const RerunPageInput = named(
  'RerunPageInput',
  z
    .strictObject({
      url: z.string().trim().min(1).optional().describe('The page whose ERROR results are retried'),
      render: z.literal(true).optional().describe('Capture what was proven unchanged without a screenshot'),
    })
    .refine(({ url, render }) => (url === undefined) !== (render === undefined), 'must have either `url` or `render`')
    .describe('Either `url` or `render`'),
);

const TestRunLog = namedObject('TestRunLog', {
  id: PublicId,
  testRunId: PublicId,
  type: named('LogType', z.enum(LOG_TYPES)),
  message: z.string(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  progress: z.number().nullable().describe('0 to 100'),
  timestamp: IsoDate,
  createdAt: IsoDate,
  updatedAt: IsoDate,
});

export const getTestRuns = listRoute(
  {
    operationId: 'listTestRuns',
    suiteToken: 'read',
    summary: 'List the runs of the suites that the caller has access to, newest first',
    query: ListTestRunsQuery,
    response: namedObject('TestRunsListResponse', {
      testRuns: z.array(TestRunWithSuite).describe('Newest first'),
      pagination: Pagination,
    }),
    list: { most: 100, usual: 20, place: TimePlace },
    failures: { 404: 'The suite does not exist, or the caller has no access to it' },
  },
  async (ctx, { viewer, query, part }) => {
    const { testSuiteId, status, offset, waitingFor, ...asked } = query;
    if (part.after !== null && offset > 0) {
      throw invalid('Send either cursor or offset', [{ path: 'offset', message: 'must not be sent with cursor' }]);
    }
    const suiteId = testSuiteId ?? viewer.within?.suiteId;
    const scope =
      suiteId === undefined ? { readableBy: viewer } : { suite: await getSuiteFor(ctx, viewer, suiteId, 'suite.read') };
    const waiting = waitingFor === undefined ? {} : { ...AWAITING_REVIEW, assigneeId: waitingFor };
    const filter = { ...asked, ...waiting, ...(status === undefined ? {} : { statuses: [status] }) };
    const { runs, total, next } = await listRuns(ctx, scope, filter, { ...part, offset });
    return {
      testRuns: runs.map(presentRunWithSuite),
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
    response: TestRunDetail,
  },
  async (ctx, { run }) => presentRunDetail(ctx, run),
);

export const patchTestRun = route(
  {
    operationId: 'updateTestRun',
    suiteToken: 'run',
    summary: 'Cancel a run',
    ...onRun('suite.run'),
    body: inputObject('UpdateTestRunInput', { action: named('CancelTestRunAction', z.enum(['cancel'])) }),
    response: TestRunDetail,
    failures: { 409: 'The run has already finished' },
  },
  async (ctx, { run }) => presentRunDetail(ctx, { ...run, ...(await cancelRun(ctx, run)) }),
);

export const putAssignees = route(
  {
    operationId: 'assignTestRun',
    summary: 'Say who is to review a run',
    description:
      'Replaces the people it is assigned to. Those who lose access to the suite are no longer assigned. The next run of the pull request is assigned to the same people.',
    ...onRun('suite.approve'),
    body: AssignRunInput,
    response: namedObject('AssignedRun', { assignees }),
    failures: { 422: 'One of them may not review the suite' },
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
    query: z.object({
      after: Id.optional().describe('The ID of a log line. Only newer lines are returned.'),
    }),
    response: namedObject('TestRunLogsResponse', {
      testRunId: PublicId,
      logs: z.array(TestRunLog).describe('Oldest first'),
      count: z.int().describe('How many lines are in this answer'),
    }),
    list: { most: 1000, place: z.tuple([z.int()]) },
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
    query: z.object({
      cause: ResultCause.optional().describe('Only results that differ for this reason. The counts cover only these.'),
    }),
    response: TestRunResultsResponse,
    list: { most: 10_000, place: z.tuple([z.string(), z.int()]) },
  },
  async (ctx, { run, query, part }) => {
    const list = await listResults(ctx, run, { ...query, ...part });
    return { ...presentGroupedResults(ctx.config, list), next: list.next };
  },
);

export const postRerun = route(
  {
    operationId: 'rerunPage',
    suiteToken: 'run',
    summary: 'Retry a page’s ERROR results in the same run, or capture in it what was proven unchanged',
    status: 202,
    ...onRun('suite.run'),
    body: RerunPageInput,
    response: namedObject('RerunPageResponse', { ...RunAccepted, rerunCount: z.int() }),
    failures: {
      409: 'The page has no ERROR results, nothing was proven unchanged, or the files of the build were removed (`build_expired`)',
    },
  },
  async (ctx, { run, body: { url } }) => {
    if (url === undefined) {
      const pages = await renderProven(ctx, run);
      return { message: `Capturing ${formatCount(pages, 'page')}`, testRunId: run.id, rerunCount: pages };
    }
    const rerunCount = await rerunErrors(ctx, run, { url });
    return { message: `Retrying ${formatCount(rerunCount, 'result')}`, testRunId: run.id, rerunCount };
  },
);
