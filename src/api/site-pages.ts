import { listVersions, readPageBaselines, readPageHistory } from '../baselines/read-baselines.ts';
import { notFound } from '../errors.ts';
import { onSuite } from '../http/acts-on.ts';
import { actOnPages } from '../pages/act-on-pages.ts';
import { addPage } from '../pages/add-page.ts';
import { readResultsOfPage, readStability } from '../runs/page-results/read-page-results.ts';
import { listPages, readPage } from '../runs/page-results/read-pages.ts';
import { formatCount, plural } from '../text/format.ts';
import { listRoute, route } from './api-route.ts';
import * as pages from './schemas/page-schemas.ts';
import { Screenshot, ScreenshotQuery } from './schemas/page-schemas.ts';

export const getPages = listRoute(
  {
    operationId: 'listPages',
    suiteToken: 'read',
    summary: 'List the pages of a suite by path, with the state of its crawl and counts of all pages',
    ...onSuite('suite.read'),
    response: pages.SitePagesResponse,
    list: pages.PAGES_AT_ONCE,
  },
  async (ctx, { suite, part }) => listPages(ctx, suite, part),
);

export const patchPages = route(
  {
    operationId: 'actOnPages',
    summary: 'Track, untrack, acknowledge or delete pages',
    description:
      '`affected` is the number of pages that changed. It does not count pages that were already in that state, or IDs of other suites.',
    ...onSuite('suite.edit'),
    body: pages.SitePageBulkActionInput,
    response: pages.SitePageBulkActionResponse,
  },
  async (ctx, { suite, body }) => {
    const affected = await actOnPages(ctx, suite, { action: body.action, on: body.pageIds });
    return { message: `${formatCount(affected, 'page')} ${plural(affected, 'was', 'were')} changed`, affected };
  },
);

export const postPage = route(
  {
    operationId: 'addPage',
    summary: 'Add a page and track it',
    status: 201,
    ...onSuite('suite.edit'),
    body: pages.AddSitePageInput,
    response: pages.SitePage,
  },
  async (ctx, { suite, body }) => addPage(ctx, suite, body),
);

export const getPage = route(
  {
    operationId: 'readPage',
    suiteToken: 'read',
    summary: 'Read a page with its current baselines',
    ...onSuite('suite.read'),
    params: pages.PageParams,
    response: pages.PageDetailResponse,
  },
  async (ctx, { suite, params }) => {
    const page = await readPage(ctx, suite, params.pageId);
    const { current, counts, versionCount } = await readPageBaselines(ctx, suite, page);
    return { page, baselines: current, viewports: [...counts.keys()], versionCount };
  },
);

export const getPageHistory = listRoute(
  {
    operationId: 'readPageHistory',
    summary: 'List a page’s baseline versions, newest first',
    ...onSuite('suite.read'),
    params: pages.PageParams,
    query: pages.HistoryQuery,
    response: pages.PageHistoryResponse,
    list: pages.EVENTS_AT_ONCE,
  },
  async (ctx, { suite, params, query, part }) => {
    const page = await readPage(ctx, suite, params.pageId);
    const [{ items: events, next }, { counts }] = await Promise.all([
      readPageHistory(ctx, suite, page, { ...query, ...part }),
      readPageBaselines(ctx, suite, page),
    ]);
    const { title, ...rest } = page;
    const named = title === null ? rest : { ...rest, title };
    return { page: named, events, viewports: [...counts.keys()].toSorted(), next };
  },
);

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
