import type { z } from 'zod';
import type { SitePage } from '../pages/site-page.ts';
import type { SitePageWithResult } from '../runs/results/latest-result.ts';
import type * as shapes from './schemas/page-schemas.ts';

export function presentPage(page: SitePage): z.output<typeof shapes.SitePage> {
  return {
    id: page.id,
    testSuiteId: page.testSuiteId,
    url: page.url,
    path: page.path,
    title: page.title,
    status: page.status,
    tracked: page.tracked,
    firstSeenAt: page.firstSeenAt.toISOString(),
    lastSeenAt: page.lastSeenAt.toISOString(),
    removedAt: page.removedAt?.toISOString() ?? null,
    createdAt: page.createdAt.toISOString(),
    updatedAt: page.updatedAt.toISOString(),
  };
}

export function presentPageWithResult(page: SitePageWithResult): z.output<typeof shapes.SitePageWithResult> {
  const { latestResult } = page;
  if (latestResult === null) return { ...presentPage(page), latestResult };
  const { testRunId, status, diffScore, viewports } = latestResult;
  return { ...presentPage(page), latestResult: { testRunId, status, diffScore, viewports } };
}
