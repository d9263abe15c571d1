import { z } from 'zod';
import { confirmLink } from '../github/sign-in/may-link.ts';
import { onSuite } from '../http/acts-on.ts';
import { createCrawledSuite, queueCrawl } from '../pages/crawl/queue-crawl.ts';
import { readCrawl } from '../pages/crawl/read-crawl.ts';
import { queueEndOfChecks } from '../pull-requests/check/run-check.ts';
import { startRun } from '../runs/start-run.ts';
import { createSuite } from '../suites/create-suite.ts';
import { deleteSuite } from '../suites/delete-suite.ts';
import type { CodeHostLink } from '../suites/suite.ts';
import { updateSuite } from '../suites/update-suite.ts';
import { listRoute, route } from './api-route.ts';
import { presentSuiteDetail, presentSuiteList } from './present-suite-detail.ts';
import { MessageResponse } from './schemas/common-schemas.ts';
import { RunTestSuiteInput, RunTestSuiteResponse } from './schemas/run-schemas.ts';
import { SUITES_AT_ONCE, TestSuiteDetail, TestSuiteWithCountAndRuns } from './schemas/suite-detail-schemas.ts';
import * as suites from './schemas/suite-schemas.ts';

const TARGET_REFUSED = 'The URL is not allowed';

export const getTestSuites = listRoute(
  {
    operationId: 'listTestSuites',
    summary: 'List the suites that the caller has access to',
    query: suites.ListTestSuitesQuery,
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
    body: suites.CreateTestSuiteInput,
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

/** `undefined` leaves the link unchanged. Null removes it. */
function parseLink(
  codehost: z.output<typeof suites.UpdateTestSuiteInput>['codehost'],
): CodeHostLink | null | undefined {
  if (codehost === null || codehost === undefined) return codehost;
  const { checkContext, ...link } = codehost;
  return checkContext === undefined ? link : { ...link, checkContext };
}

export const patchTestSuite = route(
  {
    operationId: 'updateTestSuite',
    summary: 'Update a suite (omitted fields keep their values)',
    description:
      'Requires EDITOR. `isActive` and `codehost` require ADMIN. To link a repository, the caller’s linked GitHub account must be able to see it. If sign-in with GitHub is not configured, registration must be closed.',
    ...onSuite('suite.edit'),
    body: suites.UpdateTestSuiteInput,
    response: TestSuiteDetail,
    failures: {
      409: 'Another suite of the repository already uses this check name, the settings have changed since `settingsVersion`, or .github/pixelgate.yml sets a changed setting',
      422: TARGET_REFUSED,
    },
  },
  async (ctx, { suite, viewer, body }) => {
    const { settingsVersion: seen, ...update } = body;
    const change = { ...update, codehost: parseLink(body.codehost) };
    const mayLink = async (link: CodeHostLink) => confirmLink(ctx, viewer, link);
    return presentSuiteDetail(ctx, await updateSuite(ctx, suite, change, { confirmLink: mayLink, seen }));
  },
);

export const deleteTestSuite = route(
  {
    operationId: 'deleteTestSuite',
    summary: 'Delete a suite with all its pages, runs, baselines and screenshots',
    ...onSuite('suite.delete'),
    response: MessageResponse,
  },
  async (ctx, { suite }) => {
    await deleteSuite(ctx, suite, queueEndOfChecks);
    return { message: 'Suite deleted' };
  },
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
    response: suites.CrawlSiteResponse,
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
    response: suites.SuiteCrawlResponse,
  },
  async (ctx, { suite }) => {
    const { progress, tracking } = await readCrawl(ctx, suite);
    return { crawl: suite.crawl, progress, autoTracked: tracking };
  },
);
