import { z } from 'zod';
import { Id } from '../http/acts-on.ts';
import { createSinglePage, getSinglePageFor } from '../runs/single-page.ts';
import { startRun } from '../runs/start-run.ts';
import { SUITE_NAME_MAX_LENGTH, SuiteAddress } from '../suites/suite-input.ts';
import { trimmedText } from '../text/input-words.ts';
import { listRoute, route } from './api-route.ts';
import {
  presentSuiteDetail,
  presentSuiteList,
  SUITES_AT_ONCE,
  TestSuiteDetail,
  TestSuiteWithCountAndRuns,
} from './present-suite-detail.ts';
import { presentSuite } from './runs/present-run.ts';
import { namedObject, PublicId, TestSuite } from './suite-schemas.ts';

const ManualRunParams = z.object({ id: Id.describe('The single page: a test suite of kind MANUAL') });

export const getManualRuns = listRoute(
  {
    operationId: 'listManualRuns',
    summary: 'List the single pages that the caller has access to',
    response: z.array(TestSuiteWithCountAndRuns),
    list: SUITES_AT_ONCE,
  },
  async (ctx, { viewer, part }) => presentSuiteList(ctx, viewer, { kind: 'MANUAL' }, part),
);

export const postManualRun = route(
  {
    operationId: 'createManualRun',
    summary: 'Add a single page by its URL and capture its baseline',
    status: 201,
    body: namedObject('CreateManualRunInput', {
      url: SuiteAddress.describe('An absolute http(s) URL'),
      name: trimmedText(SUITE_NAME_MAX_LENGTH).nullish().describe('Default: host and path of the URL'),
    }),
    response: namedObject('CreateManualRunResponse', { manualRun: TestSuite, testRunId: PublicId }),
    failures: { 422: 'The URL is not allowed' },
  },
  async (ctx, { viewer, body }) => {
    const { singlePage, run } = await createSinglePage(ctx, viewer, body);
    return { manualRun: presentSuite(singlePage), testRunId: run.id };
  },
);

export const getManualRun = route(
  {
    operationId: 'readManualRun',
    summary: 'Read a single page with its newest 20 runs and its current baselines',
    params: ManualRunParams,
    response: TestSuiteDetail,
  },
  async (ctx, { viewer, params }) =>
    presentSuiteDetail(ctx, await getSinglePageFor(ctx, viewer, params.id, 'suite.read')),
);

export const postManualRunRun = route(
  {
    operationId: 'runManualRun',
    summary: 'Compare a single page with its baseline',
    status: 202,
    params: ManualRunParams,
    response: namedObject('RunManualRunResponse', { message: z.string(), testRunId: PublicId }),
    failures: { 409: 'The single page is not tracked, or is inactive' },
  },
  async (ctx, { viewer, params }) => {
    const singlePage = await getSinglePageFor(ctx, viewer, params.id, 'suite.run');
    const run = await startRun(ctx, singlePage, {});
    return { message: 'Run started', testRunId: run.id };
  },
);
