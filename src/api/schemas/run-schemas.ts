import { z } from 'zod';
import { NOTE_MAX_LENGTH } from '../../baselines/baseline.ts';
import { CAUSES, RESULT_STATUSES, STABILITIES } from '../../runs/results/result.ts';
import { BRANCH_MAX_LENGTH, REVIEW_STATES, RUN_STATUSES, RUN_TYPES } from '../../runs/run.ts';
import { trimmedText } from '../../text/trimmed-text.ts';
import { HeadSha } from './build-schemas.ts';
import { Id, ImageUrl, IsoDate, Pagination, PublicId, RunAccepted, recordFields } from './common-schemas.ts';
import { named } from './components.ts';
import { TestSuite, TestSuiteSummary } from './suite-schemas.ts';

const RunStatus = named('RunStatus', z.enum(RUN_STATUSES));
export const ResultStatus = named('ResultStatus', z.enum(RESULT_STATUSES));
const RunType = named('RunType', z.enum(RUN_TYPES));

const TestRunGitContext = named(
  'TestRunGitContext',
  z.object({
    prNumber: z.int().optional(),
    headSha: z.string().optional(),
    branch: z.string().optional(),
    baseBranch: z.string().optional(),
    previewUrl: z.string().optional(),
    checkRunId: z.int().optional(),
    installationId: z.int().optional(),
    enqueued: z.boolean().optional(),
    gated: z.boolean().optional().describe('Of a pull request: whether the run gates its merge.'),
  }),
);

const TestRunMetadata = named(
  'TestRunMetadata',
  z.object({
    totalPages: z.int().optional(),
    totalScreenshots: z.int().optional(),
    passedTests: z.int().optional(),
    failedTests: z.int().optional(),
    errorTests: z.int().optional(),
    error: z.string().optional(),
    cancelledAt: IsoDate.optional(),
    reason: z.string().optional(),
  }),
);

export const reviewerNote = trimmedText(NOTE_MAX_LENGTH).nullish();

const runFields = {
  id: recordFields.id,
  testSuiteId: PublicId,
  status: RunStatus,
  runType: RunType,
  git: TestRunGitContext.nullable(),
  reviewState: named('VisualReviewState', z.enum(REVIEW_STATES)),
  startedAt: IsoDate.nullable(),
  endedAt: IsoDate.nullable(),
  metadata: TestRunMetadata.nullable(),
  createdAt: recordFields.createdAt,
  updatedAt: recordFields.updatedAt,
};

export const TestRun = named('TestRun', z.object(runFields));

const ResultCause = named('Cause', z.enum(CAUSES));

export const ListResultsQuery = z.object({
  cause: ResultCause.optional().describe('Only results that differ for this reason. The counts are of these.'),
});

export const PageResult = named(
  'PageResult',
  z.object({
    id: recordFields.id,
    testRunId: PublicId,
    url: z.string(),
    path: z.string().nullable().describe('Path and query string'),
    viewport: z.string(),
    status: ResultStatus,
    approved: z.boolean(),
    approvedById: PublicId.nullable(),
    approvedAt: IsoDate.nullable(),
    isNew: z.boolean(),
    currentFile: ImageUrl.nullable(),
    baselineFile: ImageUrl.nullable(),
    diffFile: ImageUrl.nullable(),
    diffScore: z
      .number()
      .nullable()
      .describe('Percentage of pixels that differ once what moved is aligned, 0 to 100; 0 = identical'),
    cause: ResultCause.nullable().describe(
      'Why the result differs. Only a FAIL whose cause is CHANGE needs an approval.',
    ),
    causePullRequest: z
      .int()
      .nullable()
      .describe('The pull request that the change is from, or for BEHIND the one whose merge the branch does not have'),
    causeVersion: z.int().nullable().describe('For BEHIND: the version of the baseline that the screenshot looks like'),
    stability: named('Stability', z.enum(STABILITIES))
      .nullable()
      .describe('Believed at the first screenshot, after several, or never the same twice'),
    faint: z.boolean().describe('Whether every difference is one that most people would not see'),
    cut: z.boolean().describe('Whether the page goes on below the screenshot'),
    controlFile: ImageUrl.nullable().describe("The suite's own site, captured when this result differed"),
    changeIds: z.array(z.string()).describe('The changes of this result, see `GET /test-runs/{id}/changes`'),
    error: z.string().nullable(),
    createdAt: recordFields.createdAt,
    updatedAt: recordFields.updatedAt,
  }),
);

export const TestRunDetail = named(
  'TestRunDetail',
  z.object({ ...runFields, testSuite: TestSuite.nullable(), pageResults: z.array(PageResult) }),
);

export const TestRunWithSuite = named(
  'TestRunWithSuite',
  z.object({
    ...runFields,
    testSuite: TestSuiteSummary.nullable(),
    _count: z.object({ pageResults: z.int() }),
  }),
);

export const ListTestRunsQuery = z.object({
  testSuiteId: Id.optional(),
  status: RunStatus.optional(),
  limit: z.coerce.number('must be a number').int().min(1).max(100).default(20),
  offset: z.coerce.number('must be a number').int().min(0).default(0),
});

export const TestRunsListResponse = named(
  'TestRunsListResponse',
  z.object({ testRuns: z.array(TestRunWithSuite).describe('Newest first'), pagination: Pagination }),
);

export const DashboardStats = named(
  'DashboardStats',
  z.object({
    totalTestSuites: z.int(),
    recentTestRuns: z.array(TestRunWithSuite),
    runningTests: z.int(),
  }),
);

export const RunTestSuiteInput = named(
  'RunTestSuiteInput',
  z.object({
    targetBaseUrl: z.string().trim().optional().describe('The URL of a preview. Makes this a BRANCH run.'),
    branch: trimmedText(BRANCH_MAX_LENGTH).min(1, 'must not be empty').optional(),
    buildId: Id.optional().describe('An uploaded build instead of `targetBaseUrl`'),
    headSha: HeadSha.optional().describe('The commit that is captured. With `targetBaseUrl` or `buildId`'),
    prNumber: z.int().min(1).max(2_147_483_647).optional().describe('Its pull request, for display'),
    runType: RunType.optional().describe('MANUAL or BRANCH. Only a pull request can start a PR run.'),
  }),
);
export const RunTestSuiteResponse = named('RunTestSuiteResponse', z.object(RunAccepted));

export const UpdateTestRunInput = named(
  'UpdateTestRunInput',
  z.object({ action: named('CancelTestRunAction', z.enum(['cancel'])) }),
);

export const ResultParams = z.object({ id: Id.describe('The run'), resultId: Id });
export const UpdateResultInput = named(
  'UpdateResultInput',
  z
    .strictObject({
      cause: z.enum(['CHANGE']).optional().describe('Counts the difference as a change, which needs an approval'),
      decision: z.enum(['approve', 'undo']).optional(),
      note: reviewerNote,
    })
    .refine(
      ({ cause, decision }) => (cause === undefined) !== (decision === undefined),
      'must have either `cause` or `decision`',
    ),
);

export const RerunPageInput = named(
  'RerunPageInput',
  z.object({ url: z.string().trim().min(1).describe('The page whose ERROR results are re-run') }),
);
export const RerunPageResponse = named('RerunPageResponse', z.object({ ...RunAccepted, rerunCount: z.int() }));

export const ApproveVisualsInput = named(
  'ApproveVisualsInput',
  z.object({
    resultIds: z
      .array(Id)
      .max(20_000)
      .optional()
      .describe('Default: every changed or new result that is not approved yet'),
    note: reviewerNote,
  }),
);
