import { listVersions } from '../../baselines/read-baselines.ts';
import { notFound } from '../../errors.ts';
import { readResultsOfPage } from '../../runs/page-results/read-page-results.ts';
import { readStability } from '../../runs/page-results/read-stability.ts';
import { onSuite } from '../acts-on.ts';
import { route } from '../api-route.ts';
import { Screenshot, ScreenshotQuery } from '../schemas/screenshot-schemas.ts';

const NEWEST = 10;

export const getScreenshot = route(
  {
    operationId: 'readScreenshot',
    suiteToken: 'read',
    summary: 'Read the history and the stability of one page at one viewport',
    ...onSuite('suite.read'),
    query: ScreenshotQuery,
    response: Screenshot,
  },
  async (ctx, { suite, query }) => {
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
