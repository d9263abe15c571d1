import { z } from 'zod';
import { Id } from '../../http/acts-on.ts';
import { REVIEWERS_MAX } from '../../runs/assignees/assign-run.ts';
import { BRANCH_MAX_LENGTH, REVIEW_STATES, RUN_STATUSES, RUN_TRIGGERS, RUN_TYPES } from '../../runs/run.ts';
import { SEARCH_MAX_LENGTH } from '../../runs/search/run-search.ts';
import { trimmedText } from '../../text/trimmed-text.ts';
import { HeadSha } from './build-schemas.ts';
import {
  Address,
  IsoDate,
  IsoText,
  named,
  namedObject,
  Pagination,
  PublicId,
  recordFields,
  RunAccepted,
  TimePlace,
  wholeNumber,
} from './common-schemas.ts';
import { PageResult, reviewerNote, seenVerdict, verdictNumber } from './result-schemas.ts';
import { TestSuite, TestSuiteSummary } from './suite-schemas.ts';
import { UserSummary } from './user-schemas.ts';

const SettingsDifference = namedObject('SettingsDifference', {
  field: z.string().describe('Such as `failureThreshold`, `rules.mask` or `viewports`'),
  before: z.string().nullable().describe('null: it was not there'),
  after: z.string().nullable().describe('null: it is no longer there'),
  effect: z
    .enum(['LOOSENS', 'TIGHTENS', 'NEUTRAL'])
    .describe('LOOSENS: it can let a change pass that the settings of the base would show'),
  applies: z.enum(['NOW', 'AFTER_MERGE']).describe('AFTER_MERGE: the pull request itself is not judged by it'),
  pages: z.int().nullable().describe('How many tracked pages it is about. null: not about single pages'),
  paths: z.array(z.string()).describe('The first 20 of these pages'),
  viewports: z.array(z.string()),
  summary: z.string().describe('The same in words'),
});

export const SettingsChange = namedObject('SettingsChange', {
  id: z
    .string()
    .nullable()
    .describe('Stands for exactly what loosens: the same in another run means the same change. null: nothing loosens'),
  state: z
    .enum(REVIEW_STATES)
    .describe('PENDING holds the review gate until a reviewer approves. NOT_REQUIRED: nothing loosens'),
  differences: z.array(SettingsDifference).describe('What loosens comes first'),
  approvedBy: UserSummary.nullable(),
  approvedAt: IsoDate.nullable(),
  carriedOver: z.boolean().describe('It was approved in an earlier run of the pull request'),
  withBaseSettings: z
    .object({
      failing: z.int().describe('Results that would be changes'),
      passing: z.int().describe('Results that would pass'),
      missing: z.int().describe('Results that could not be captured'),
      notCaptured: z.int().describe('Results that were too many to be captured again'),
    })
    .describe('What the settings of the base would have shown. Each result has its own `baseSettings`'),
});

const RunStatus = named('RunStatus', z.enum(RUN_STATUSES));
const VisualReviewState = named('VisualReviewState', z.enum(REVIEW_STATES));
const RunType = named('RunType', z.enum(RUN_TYPES));

const TestRunGitContext = namedObject('TestRunGitContext', {
  prNumber: z.int().optional(),
  title: z.string().optional().describe('Of the pull request'),
  headSha: z.string().optional(),
  message: z.string().optional().describe('The first line of the commit message'),
  branch: z.string().optional(),
  baseBranch: z.string().optional(),
  previewUrl: z.string().optional(),
  checkRunId: z.int().optional(),
  installationId: z.int().optional(),
  enqueued: z.boolean().optional(),
  configChange: named(
    'ConfigChange',
    z.object({
      used: z.array(z.string()).describe('Settings that the run takes from the pull request'),
      later: z.array(z.string()).describe('Settings whose change applies after the merge'),
      fromFork: z.boolean().describe('For a fork, no change applies before the merge'),
    }),
  )
    .optional()
    .describe('What the pull request changes in the repository’s configuration file'),
  gated: z.boolean().optional().describe('Of a pull request: whether the run gates its merge.'),
});

const TestRunMetadata = namedObject('TestRunMetadata', {
  totalPages: z.int().optional(),
  totalScreenshots: z.int().optional(),
  passedTests: z.int().optional(),
  failedTests: z.int().optional(),
  errorTests: z.int().optional(),
  provenScreenshots: z.int().optional().describe('Of all, those that were proven unchanged. The others were captured'),
  error: z.string().optional(),
  cancelledAt: IsoText.optional(),
  reason: z.string().optional(),
});

const runFields = {
  ...recordFields,
  number: z.int().describe('In the suite: 1 is its first run'),
  name: z.string().describe('For example `#128 Pull request #12: Fix the header`'),
  testSuiteId: PublicId,
  status: RunStatus,
  runType: RunType,
  buildId: PublicId.nullable().describe('The uploaded build that is captured. Null: a site'),
  git: TestRunGitContext.nullable(),
  reviewState: VisualReviewState,
  startedAt: IsoDate.nullable(),
  endedAt: IsoDate.nullable(),
  verdictNumber: verdictNumber.describe('Of the last verdict on the run or one of its results; 0: none'),
  changeRequests: z.int().describe('How many requests for changes are open. Any holds the review gate.'),
  metadata: TestRunMetadata.nullable(),
  trigger: named('RunTrigger', z.enum(RUN_TRIGGERS)).nullable().describe('What started the run. null: not recorded'),
  startedById: PublicId.nullable().describe('Who started it, or on whose behalf the token or the workflow acts'),
  tokenName: z.string().nullable().describe('The API token that started it'),
  cancelledById: PublicId.nullable(),
};

export const TestRun = namedObject('TestRun', runFields);

const assignees = z
  .array(UserSummary)
  .describe('Who was asked to review the run. While `reviewState` is PENDING, it waits for them.');

export const TestRunDetail = namedObject('TestRunDetail', {
  ...runFields,
  settingsChange: SettingsChange.nullable().describe('What the pull request changes in how it is judged'),
  assignees,
  testSuite: TestSuite.nullable(),
  _count: z.object({ pageResults: z.int() }),
  _links: z.object({ pageResults: Address }).describe('URL of the full list'),
  pageResults: z.array(PageResult).describe('The first 10,000'),
});

const TestRunWithSuite = namedObject('TestRunWithSuite', {
  ...runFields,
  assignees,
  testSuite: TestSuiteSummary.nullable(),
  _count: z.object({ pageResults: z.int() }),
});

export const ListTestRunsQuery = z.object({
  testSuiteId: Id.optional(),
  status: RunStatus.optional(),
  runType: RunType.optional(),
  reviewState: VisualReviewState.optional(),
  branch: z.string().max(BRANCH_MAX_LENGTH).optional().describe('The exact name of the branch'),
  pullRequest: wholeNumber(1, 2_147_483_647).optional().describe('The number of a pull request'),
  headSha: z
    .string()
    .toLowerCase()
    .regex(/^[0-9a-f]{4,40}$/, 'must be a commit SHA, or at least its first 4 digits')
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

export const RUNS_AT_ONCE = { most: 100, usual: 20, place: TimePlace };

export const TestRunsListResponse = namedObject('TestRunsListResponse', {
  testRuns: z.array(TestRunWithSuite).describe('Newest first'),
  pagination: Pagination,
});

export const DashboardStats = namedObject('DashboardStats', {
  totalTestSuites: z.int().describe('Suites that are crawled. Single pages (kind MANUAL) are not counted'),
  recentTestRuns: z.array(TestRunWithSuite).describe('Newest first, including those of single pages'),
  runningTests: z.int().describe('Runs that are PENDING or RUNNING, including those of single pages'),
});

export const RunTestSuiteInput = namedObject('RunTestSuiteInput', {
  targetBaseUrl: z
    .string()
    .trim()
    .optional()
    .describe(
      'The URL of a preview, which may have a path: what follows the suite’s base URL in a page’s path is appended to it. A query string and a fragment are left out. Makes this a BRANCH run.',
    ),
  branch: trimmedText(BRANCH_MAX_LENGTH).min(1, 'must not be empty').optional(),
  buildId: Id.optional().describe('An uploaded build instead of `targetBaseUrl`'),
  headSha: HeadSha.optional().describe('The commit that is captured. With `targetBaseUrl` or `buildId`'),
  prNumber: z.int().min(1).max(2_147_483_647).optional().describe('Its pull request, for display'),
  message: z.string().max(10_000).optional().describe('The commit message, for display. Only its first line is kept'),
  runType: RunType.optional().describe('MANUAL or BRANCH. Only a pull request can start a PR run.'),
  render: z
    .boolean()
    .optional()
    .describe('Capture every page, also those that could be proven unchanged without a screenshot'),
});
export const RunTestSuiteResponse = namedObject('RunTestSuiteResponse', RunAccepted);

export const UpdateTestRunInput = namedObject('UpdateTestRunInput', {
  action: named('CancelTestRunAction', z.enum(['cancel'])),
});

export const ApproveVisualsInput = namedObject('ApproveVisualsInput', {
  resultIds: z
    .array(Id)
    .max(20_000)
    .optional()
    .describe(
      'Default: every changed or new result that is not approved yet, and what the pull request changes in the settings',
    ),
  note: reviewerNote,
  verdictNumber: seenVerdict,
});

export const AssignRunInput = namedObject('AssignRunInput', {
  userIds: z
    .array(Id)
    .max(REVIEWERS_MAX)
    .describe('People with the role REVIEWER or higher: see `GET /test-suites/{id}/access`. Empty: nobody'),
});

export const AssignedRun = namedObject('AssignedRun', { assignees });
