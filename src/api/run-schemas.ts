import { z } from 'zod';
import { DECISIONS } from '../review/verdicts/verdict.ts';
import { HEAD_SHA } from '../runs/builds/build.ts';
import { CAUSES, RESULT_STATUSES, SERVERS, STABILITIES } from '../runs/results/result.ts';
import { REVIEW_STATES, RUN_STATUSES, RUN_TRIGGERS, RUN_TYPES } from '../runs/run.ts';
import {
  Address,
  ImageUrl,
  IsoDate,
  IsoText,
  named,
  namedObject,
  PublicId,
  recordFields,
  RunAccepted,
  TestSuite,
  TestSuiteSummary,
  UserSummary,
} from './suite-schemas.ts';

export const ResultStatus = named('ResultStatus', z.enum(RESULT_STATUSES));

const verdictNumber = z.int();

export const seenVerdict = z
  .int()
  .min(0)
  .optional()
  .describe(
    'The `verdictNumber` of the result or its run that the decision is made on. If someone else has decided otherwise since, nothing changes and the response is 409 `decided_meanwhile`. Default: decide in any case.',
  );

export const Decision = named('Decision', z.enum(DECISIONS));

export const ResultCause = named('Cause', z.enum(CAUSES));

export const PageResult = namedObject('PageResult', {
  ...recordFields,
  testRunId: PublicId,
  url: z.string(),
  path: z.string().nullable().describe('Path and query string'),
  viewport: z.string(),
  status: ResultStatus,
  approved: z.boolean(),
  approvedById: PublicId.nullable(),
  approvedAt: IsoDate.nullable(),
  verdictNumber: verdictNumber.describe('Of the last verdict on this result; 0: none'),
  changesRequested: z.boolean().describe('A reviewer asks for changes'),
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
    .describe('The pull request that the change comes from. For BEHIND, the one whose merge the branch is missing'),
  causeVersion: z.int().nullable().describe('For BEHIND: the baseline version that the screenshot matches'),
  proof: z
    .object({ at: IsoText, requests: z.int().describe('That were compared') })
    .nullable()
    .describe(
      'The page passed without a screenshot, because everything it is made of is served as when its baseline was captured. Null: it was captured',
    ),
  stability: named('Stability', z.enum(STABILITIES))
    .nullable()
    .describe('Stable at the first screenshot, stable after several, or never the same twice'),
  faint: z.boolean().describe('Whether every difference is too faint for most people to see'),
  cut: z.boolean().describe('Whether the screenshot does not show the whole page'),
  controlFile: ImageUrl.nullable().describe('A screenshot of the suite’s own site, captured when this result differed'),
  servers: z
    .enum(SERVERS)
    .nullable()
    .describe(
      'Whether the preview and the suite’s own site were seen to be different servers. MAYBE_ONE: both show the same, which counts as a change because nothing tells them apart, see `POST /test-runs/{id}/different-servers`',
    ),
  leftOut: z
    .boolean()
    .describe('The settings of the pull request leave it out. It was captured with those of its base, to show it'),
  baseSettings: z
    .object({
      captured: z
        .enum(['DUE', 'TAKEN', 'FAILED'])
        .nullable()
        .describe('Whether there is a screenshot with these settings. null: it would be the same'),
      status: z.enum(['PASS', 'FAIL']).nullable(),
      diffScore: z.number().nullable().describe('Percentage of pixels that differ, 0 to 100; 0 = identical'),
      currentFile: ImageUrl.nullable(),
      diffFile: ImageUrl.nullable(),
    })
    .nullable()
    .describe('How the result would have come out with the settings of the base. null: as it did, or nobody looked'),
  changeIds: z.array(z.string()).describe('The changes of this result, see `GET /test-runs/{id}/changes`'),
  accessibilityIds: z
    .array(z.string())
    .describe('What assistive technology hears otherwise, see `GET /test-runs/{id}/accessibility`'),
  error: z.string().nullable(),
});

const counts = { passed: z.int(), failed: z.int(), errors: z.int(), pending: z.int() };

const UrlStats = namedObject('UrlStats', counts);

export const TestRunResultsResponse = namedObject('TestRunResultsResponse', {
  groups: named('GroupedPageResults', z.record(z.string(), z.array(PageResult)).describe('By path')),
  stats: named('TestRunStats', z.object({ total: z.int(), ...counts })),
  urls: z.record(z.string(), UrlStats).describe('By path'),
});

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

export const RunStatus = named('RunStatus', z.enum(RUN_STATUSES));
export const VisualReviewState = named('VisualReviewState', z.enum(REVIEW_STATES));
export const RunType = named('RunType', z.enum(RUN_TYPES));

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
  removedPages: z
    .int()
    .optional()
    .describe('How many tracked pages were left out because the last crawl did not find them'),
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

export const assignees = z
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

export const TestRunWithSuite = namedObject('TestRunWithSuite', {
  ...runFields,
  assignees,
  testSuite: TestSuiteSummary.nullable(),
  _count: z.object({ pageResults: z.int() }),
});

export const HeadSha = z.string().trim().toLowerCase().regex(HEAD_SHA, 'must be the full SHA of a commit');

export const RunTestSuiteResponse = namedObject('RunTestSuiteResponse', RunAccepted);
