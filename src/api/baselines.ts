import { z } from 'zod';
import { ReviewerNote } from '../baselines/baseline.ts';
import { compareVersions } from '../baselines/compare-screenshots.ts';
import {
  getBaselineFor,
  getVersionFor,
  getVersionPairFor,
  listBaselines,
  listVersions,
} from '../baselines/read-baselines.ts';
import { invalid } from '../errors.ts';
import { Id } from '../http/acts-on.ts';
import { promoteResult, restoreVersion } from '../review/approval/promote-through-api.ts';
import { getResultFor } from '../runs/read-run.ts';
import { getSuiteFor } from '../suites/read-suite.ts';
import { listRoute, route } from './api-route.ts';
import { Baseline, BaselineVersion, ImageUrl, named, namedObject } from './suite-schemas.ts';

const PromoteBaselineInput = named(
  'PromoteBaselineInput',
  z
    .strictObject({ pageResultId: Id.optional(), baselineVersionId: Id.optional(), note: ReviewerNote })
    .describe('Exactly one of `pageResultId` and `baselineVersionId`. The latter restores an earlier version.'),
);

const BaselineVersionRef = named(
  'BaselineVersionRef',
  BaselineVersion.pick({ id: true, version: true, filePath: true, viewport: true, approvedAt: true }),
);

const CompareBaselinesResponse = namedObject('CompareBaselinesResponse', {
  from: BaselineVersionRef,
  to: BaselineVersionRef,
  diffFile: ImageUrl,
  diffScore: z
    .number()
    .describe(
      'Similarity, 0 to 100; 100 = identical. In results and versions, `diffScore` is the opposite: a difference.',
    ),
  diffPercentage: z.number().describe('Percentage of differing pixels, 0 to 100'),
  dimensions: z.object({ width: z.int(), height: z.int() }).describe('Size of the diff image in pixels'),
});

const NO_SUITE = 'The suite does not exist, or the caller has no access to it';

export const getBaselines = listRoute(
  {
    operationId: 'listBaselines',
    summary: 'List a suite’s current baselines',
    query: z.object({ testSuiteId: Id }),
    response: z.array(Baseline),
    list: { most: 1000, place: z.tuple([z.string(), z.string()]) },
    failures: { 404: NO_SUITE },
  },
  async (ctx, { viewer, query, part }) => {
    const suite = await getSuiteFor(ctx, viewer, query.testSuiteId, 'suite.read');
    return listBaselines(ctx, suite, part);
  },
);

export const getBaseline = route(
  {
    operationId: 'readBaseline',
    summary: 'Read a baseline',
    params: z.object({ id: Id.describe('The baseline') }),
    response: Baseline,
  },
  async (ctx, { viewer, params }) => getBaselineFor(ctx, viewer, params.id),
);

export const postBaseline = route(
  {
    operationId: 'promoteBaseline',
    summary: 'Set a result’s screenshot or an earlier version as the current baseline',
    description: 'Adds a version with source API.',
    status: 201,
    body: PromoteBaselineInput,
    response: Baseline,
    failures: {
      403: 'The role on the suite is too low',
      404: 'The result or version does not exist, or the caller has no access to it',
      409: 'The result has no screenshot, its run is in progress or was cancelled, or the screenshot of the version is no longer in storage (`picture_missing`)',
    },
  },
  async (ctx, { viewer, body }) => {
    const { pageResultId, baselineVersionId, note } = body;
    if (pageResultId !== undefined && baselineVersionId === undefined) {
      const result = await getResultFor(ctx, viewer, pageResultId, 'suite.approve');
      return promoteResult(ctx, result, { note });
    }
    if (baselineVersionId !== undefined && pageResultId === undefined) {
      const version = await getVersionFor(ctx, viewer, baselineVersionId, 'suite.approve');
      return restoreVersion(ctx, version, { note });
    }
    throw invalid('Send either pageResultId or baselineVersionId', [
      { path: 'pageResultId', message: 'exactly one of pageResultId and baselineVersionId is required' },
    ]);
  },
);

export const getVersions = listRoute(
  {
    operationId: 'listBaselineVersions',
    summary: 'List a suite’s baseline versions, newest first within each path and viewport',
    query: z.object({ suiteId: Id, path: z.string().optional(), viewport: z.string().optional() }),
    response: z.array(BaselineVersion),
    list: { most: 1000, place: z.tuple([z.string(), z.string(), z.int()]) },
    failures: { 404: NO_SUITE },
  },
  async (ctx, { viewer, query, part }) => {
    const { suiteId, path, viewport } = query;
    const suite = await getSuiteFor(ctx, viewer, suiteId, 'suite.read');
    return listVersions(ctx, suite, { path, viewport }, part);
  },
);

/** Rounded to 4 decimals, like the percentage, because 100 - 0.0001 is not exactly 99.9999 in binary. */
const similarity = (diffPercentage: number) => Math.round((100 - diffPercentage) * 10_000) / 10_000;

export const postCompare = route(
  {
    operationId: 'compareBaselineVersions',
    summary: 'Compare any two versions',
    description: 'The caller must have access to the suites of both versions.',
    body: namedObject('CompareBaselinesInput', { fromVersionId: Id, toVersionId: Id }),
    response: CompareBaselinesResponse,
    failures: {
      404: 'The version does not exist, or the caller has no access to it',
      409: 'A screenshot is no longer in storage (`picture_missing`)',
    },
  },
  async (ctx, { viewer, body }) => {
    const { from, to } = await getVersionPairFor(ctx, viewer, body);
    const { diffFile, diffPercentage, width, height } = await compareVersions(ctx, from, to);
    return {
      from,
      to,
      diffFile,
      diffScore: similarity(diffPercentage),
      diffPercentage,
      dimensions: { width, height },
    };
  },
);
