import { z } from 'zod';
import { createSinglePage, getSinglePageFor } from '../runs/single-page.ts';
import { startRun } from '../runs/start-run.ts';
import { listRoute, route } from './api-route.ts';
import { presentSuiteDetail, presentSuiteList } from './present-suite-detail.ts';
import { presentSuite } from './runs/present-run.ts';
import * as details from './schemas/suite-detail-schemas.ts';

export const getManualRuns = listRoute(
  {
    operationId: 'listManualRuns',
    summary: 'List the single pages that the caller has access to',
    response: z.array(details.TestSuiteWithCountAndRuns),
    list: details.SUITES_AT_ONCE,
  },
  async (ctx, { viewer, part }) => presentSuiteList(ctx, viewer, { kind: 'MANUAL' }, part),
);

export const postManualRun = route(
  {
    operationId: 'createManualRun',
    summary: 'Add a single page by its URL and capture its baseline',
    status: 201,
    body: details.CreateManualRunInput,
    response: details.CreateManualRunResponse,
    failures: { 422: 'The URL is not allowed' },
  },
  async (ctx, { viewer, body }) => {
    const name = body.name === null || body.name === '' ? undefined : body.name;
    const { singlePage, run } = await createSinglePage(ctx, viewer, { url: body.url, name });
    return { manualRun: presentSuite(singlePage), testRunId: run.id };
  },
);

export const getManualRun = route(
  {
    operationId: 'readManualRun',
    summary: 'Read a single page with its newest 20 runs and its current baselines',
    params: details.ManualRunParams,
    response: details.TestSuiteDetail,
  },
  async (ctx, { viewer, params }) =>
    presentSuiteDetail(ctx, await getSinglePageFor(ctx, viewer, params.id, 'suite.read')),
);

export const postManualRunRun = route(
  {
    operationId: 'runManualRun',
    summary: 'Compare a single page with its baseline',
    status: 202,
    params: details.ManualRunParams,
    response: details.RunManualRunResponse,
    failures: { 409: 'The single page is not tracked, or is inactive' },
  },
  async (ctx, { viewer, params }) => {
    const singlePage = await getSinglePageFor(ctx, viewer, params.id, 'suite.run');
    const run = await startRun(ctx, singlePage, {});
    return { message: 'Run started', testRunId: run.id };
  },
);
