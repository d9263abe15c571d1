import { listVersions } from '../../baselines/read-baselines.ts';
import { notFound } from '../../errors.ts';
import { readResultsOfPage, readStability } from '../../runs/page-results/read-page-results.ts';
import { getSuiteFor } from '../../suites/read-suite.ts';
import { route } from '../api-route.ts';
import { SuiteParams } from '../schemas/common-schemas.ts';
import { Screenshot, ScreenshotQuery } from '../schemas/screenshot-schemas.ts';

const NEWEST = 10;

export const getScreenshot = route(
  {
    operationId: 'readScreenshot',
    suiteToken: 'read',
    summary: 'Read the history and the stability of one page at one viewport',
    params: SuiteParams,
    query: ScreenshotQuery,
    response: Screenshot,
  },
  async (ctx, { viewer, params, query }) => {
    const suite = await getSuiteFor(ctx, viewer, params.id, 'suite.read');
    const { path, viewport } = query;
    const [{ items: versions }, results, shares] = await Promise.all([
      listVersions(ctx, suite, query, { limit: NEWEST, after: null }),
      readResultsOfPage(ctx, suite, { path }, { viewport }),
      readStability(ctx, suite, [path]),
    ]);
    if (versions.length === 0 && results.length === 0) throw notFound('Screenshot');
    const stability = shares.find((share) => share.viewport === viewport) ?? null;
    return { path, viewport, stability, versions, results: results.slice(0, NEWEST) };
  },
);
