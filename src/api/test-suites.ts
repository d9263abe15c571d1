import { z } from 'zod';
import { SUITE_SCOPES } from '../access/role.ts';
import { confirmLink } from '../github/sign-in/may-link.ts';
import { Id, onSuite } from '../http/acts-on.ts';
import { readCrawl } from '../pages/crawl/crawl-store.ts';
import { createCrawledSuite, queueCrawl } from '../pages/crawl/queue-crawl.ts';
import { END_OF_RUNS } from '../pull-requests/check/run-check.ts';
import { BRANCH_MAX_LENGTH, INTEGER_MAX } from '../runs/run.ts';
import { startRun } from '../runs/start-run.ts';
import { LinkName, SuiteAddress, SuiteDescription, SuiteName } from '../suites/suite-input.ts';
import { createSuite, deleteSuite } from '../suites/suite-life.ts';
import type { CodeHostLink } from '../suites/suite.ts';
import { updateSuite } from '../suites/update-suite.ts';
import { requiredText } from '../text/input-words.ts';
import { actRoute, listRoute, route } from './api-route.ts';
import {
  presentSuiteDetail,
  presentSuiteList,
  SUITES_AT_ONCE,
  TestSuiteDetail,
  TestSuiteWithCountAndRuns,
} from './present-suite-detail.ts';
import { HeadSha, RunTestSuiteResponse, RunType } from './run-schemas.ts';
import {
  inputObject,
  named,
  namedObject,
  SuiteCrawlState,
  TestSuiteConfigInput,
  TestSuiteKind,
} from './suite-schemas.ts';

const RunTestSuiteInput = inputObject('RunTestSuiteInput', {
  targetBaseUrl: z
    .string()
    .trim()
    .optional()
    .describe(
      'The URL of a preview, which may have a path: what follows the suite’s base URL in a page’s path is appended to it. A query string and a fragment are left out. Makes this a BRANCH run.',
    ),
  branch: requiredText(BRANCH_MAX_LENGTH).optional(),
  buildId: Id.optional().describe('An uploaded build instead of `targetBaseUrl`'),
  headSha: HeadSha.optional().describe('The commit that is captured. With `targetBaseUrl` or `buildId`'),
  prNumber: z
    .int()
    .min(1)
    .max(INTEGER_MAX)
    .optional()
    .describe('Its pull request, for display. Only with `targetBaseUrl` or `buildId`'),
  message: z.string().max(10_000).optional().describe('The commit message, for display. Only its first line is kept'),
  runType: RunType.optional().describe('MANUAL or BRANCH. Only a pull request can start a PR run.'),
  render: z
    .boolean()
    .optional()
    .describe('Capture every page, also those that could be proven unchanged without a screenshot'),
});

const codeHostFields = {
  owner: LinkName,
  repo: LinkName,
  installationId: z.int().min(1),
  checkContext: LinkName.optional().describe('Name of the check run, instead of the default'),
};

const baseUrl = SuiteAddress.describe('An absolute http(s) URL');

const description = SuiteDescription.nullish();

const CreateTestSuiteInput = namedObject('CreateTestSuiteInput', {
  name: SuiteName,
  baseUrl,
  description,
  config: TestSuiteConfigInput.optional(),
  crawl: z.boolean().optional().describe('Whether to queue the first crawl at once. Default: false'),
});

const UpdateTestSuiteInput = namedObject('UpdateTestSuiteInput', {
  name: SuiteName.optional(),
  baseUrl: baseUrl.optional(),
  description,
  config: TestSuiteConfigInput.optional().describe('Merged into the stored config; null resets a field to its default'),
  settingsVersion: z
    .string()
    .max(64)
    .optional()
    .describe(
      '`settingsVersion` of the suite that the change was made from. If name, base URL, description or config have changed since, nothing is saved: the response is 409 `changed_meanwhile` with both values of each setting (`now` and `wanted`), and with the current `settingsVersion`. Default: overwrite.',
    ),
  isActive: z.boolean().optional(),
  codehost: z.object(codeHostFields).nullish().describe('null unlinks the repository'),
});

const CrawlProgress = namedObject('CrawlProgress', {
  pagesFound: z.int(),
  lastPages: z
    .array(z.object({ path: z.string(), title: z.string().nullable() }))
    .describe('The most recently found pages, newest first; at most five'),
});

const AutoTracked = namedObject('AutoTracked', {
  tracked: z.int().describe('Pages that the crawl tracked automatically'),
  beyondLimit: z.int().describe('Pages that it left untracked because of the limit'),
});

const TARGET_REFUSED = 'The URL is not allowed';

export const getTestSuites = listRoute(
  {
    operationId: 'listTestSuites',
    summary: 'List the suites that the caller has access to',
    query: z.object({
      kind: TestSuiteKind.optional().describe('Default: SUITE, which leaves out single pages'),
      scope: named('SuiteScope', z.enum(SUITE_SCOPES)).optional().describe('Default: ALL'),
    }),
    response: z.array(TestSuiteWithCountAndRuns),
    list: SUITES_AT_ONCE,
  },
  async (ctx, { viewer, query, part }) => presentSuiteList(ctx, viewer, query, part),
);

export const postTestSuite = route(
  {
    operationId: 'createTestSuite',
    summary: 'Create a suite',
    description:
      'A new suite is crawled within seconds, unless `config.recrawlInterval` is `off`. With `crawl`, its crawl is queued together with it. With `config.autoTrack`, that crawl tracks pages and is followed by the first run, which captures their baselines.',
    status: 201,
    body: CreateTestSuiteInput,
    response: TestSuiteDetail,
    failures: { 422: TARGET_REFUSED },
  },
  async (ctx, { viewer, body }) => {
    const { crawl, ...input } = body;
    const create = crawl === true ? createCrawledSuite : createSuite;
    return presentSuiteDetail(ctx, await create(ctx, viewer, input));
  },
);

export const getTestSuite = route(
  {
    operationId: 'readTestSuite',
    suiteToken: 'read',
    summary: 'Read a suite with its newest 20 runs and its current baselines',
    ...onSuite('suite.read'),
    response: TestSuiteDetail,
  },
  async (ctx, { suite }) => presentSuiteDetail(ctx, suite),
);

export const patchTestSuite = route(
  {
    operationId: 'updateTestSuite',
    summary: 'Update a suite (omitted fields keep their values)',
    description:
      'Requires EDITOR. `isActive` and `codehost` require ADMIN. To link a repository, the caller’s linked GitHub account must be able to see it. If sign-in with GitHub is not configured, registration must be closed.',
    ...onSuite('suite.edit'),
    body: UpdateTestSuiteInput,
    response: TestSuiteDetail,
    failures: {
      409: 'Another suite of the repository already uses this check name, the settings have changed since `settingsVersion`, or .github/pixelgate.yml sets a changed setting',
      422: TARGET_REFUSED,
    },
  },
  async (ctx, { suite, viewer, body }) => {
    const { settingsVersion: seen, ...change } = body;
    const mayLink = async (link: CodeHostLink) => confirmLink(ctx, viewer, link);
    return presentSuiteDetail(ctx, await updateSuite(ctx, suite, change, { confirmLink: mayLink, seen }));
  },
);

export const deleteTestSuite = actRoute(
  {
    operationId: 'deleteTestSuite',
    summary: 'Delete a suite with all its pages, runs, baselines and screenshots',
    ...onSuite('suite.delete'),
    done: 'Suite deleted',
  },
  async (ctx, { suite }) => deleteSuite(ctx, suite, END_OF_RUNS),
);

export const postRun = route(
  {
    operationId: 'runTestSuite',
    suiteToken: 'run',
    summary: 'Start a run',
    description:
      'Without a body, starts a MANUAL run against the suite’s base URL. With `targetBaseUrl`, or the `buildId` of an uploaded build, starts a BRANCH run against a preview, which changes baselines only when it is approved.',
    status: 202,
    ...onSuite('suite.run'),
    body: RunTestSuiteInput,
    bodyOptional: true,
    response: RunTestSuiteResponse,
    failures: {
      409: 'The suite has no tracked pages, or is inactive',
      422: `${TARGET_REFUSED}, or there is no such build`,
    },
  },
  async (ctx, { suite, body }) => {
    const run = await startRun(ctx, suite, body);
    return { message: 'Run started', testRunId: run.id };
  },
);

export const postCrawl = route(
  {
    operationId: 'crawlSite',
    summary: 'Queue a crawl that finds added and removed pages',
    status: 202,
    ...onSuite('suite.run'),
    response: namedObject('CrawlSiteResponse', { message: z.string() }),
    failures: { 409: 'A crawl is already queued or running' },
  },
  async (ctx, { suite }) => {
    await queueCrawl(ctx, suite);
    return { message: 'Crawl queued' };
  },
);

export const getCrawl = route(
  {
    operationId: 'readCrawl',
    summary: 'Read the state of the crawl, what it has found so far, and what the last one tracked',
    ...onSuite('suite.read'),
    response: namedObject('SuiteCrawlResponse', {
      crawl: SuiteCrawlState,
      progress: CrawlProgress.nullable().describe('null unless a crawl is running'),
      autoTracked: AutoTracked.nullable().describe('Of the last completed crawl; null when `autoTrack` was `off`'),
    }),
  },
  async (ctx, { suite }) => {
    const { progress, tracking } = await readCrawl(ctx.db, suite);
    return { crawl: suite.crawl, progress, autoTracked: tracking };
  },
);
