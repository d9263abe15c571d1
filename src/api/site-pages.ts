import { z } from 'zod';
import { listVersions, readPageHistory } from '../baselines/read-baselines.ts';
import { readCurrentVersions } from '../baselines/version-store.ts';
import { notFound } from '../errors.ts';
import { Id, onPage, onSuite } from '../http/acts-on.ts';
import { actOnPages, addPage } from '../pages/add-page.ts';
import { PATH_MAX_LENGTH } from '../pages/page-identity.ts';
import { PAGE_STATUSES, SITE_PAGE_ACTIONS } from '../pages/site-page.ts';
import { readResultsOfPage, readStability } from '../runs/page-results/page-results-store.ts';
import { listPages } from '../runs/page-results/read-pages.ts';
import { SuiteAddress } from '../suites/suite-input.ts';
import { formatCount, plural } from '../text/format.ts';
import { trimmedText } from '../text/input-words.ts';
import { listRoute, route } from './api-route.ts';
import { PageResult, ResultStatus } from './run-schemas.ts';
import {
  BaselineVersion,
  BaselineVersionEvent,
  IsoDate,
  named,
  namedObject,
  PageCurrentBaseline,
  PublicId,
  recordFields,
  SuiteCrawlState,
} from './suite-schemas.ts';

const pageFields = {
  ...recordFields,
  testSuiteId: PublicId,
  url: z.string(),
  path: z.string().describe('Path and query string. Identifies the page on any host.'),
  title: z.string().nullable(),
  status: named('PageStatus', z.enum(PAGE_STATUSES)),
  tracked: z.boolean(),
  firstSeenAt: IsoDate,
  lastSeenAt: IsoDate,
  removedAt: IsoDate.nullable(),
};

const PageLatestResult = namedObject('PageLatestResult', {
  testRunId: PublicId,
  status: ResultStatus.describe('The worst status across viewports'),
  diffScore: z.number().nullable().describe('Highest percentage of differing pixels across viewports; 0 = identical'),
  viewports: z.record(z.string(), ResultStatus),
});

const SitePageWithResult = namedObject('SitePageWithResult', {
  ...pageFields,
  latestResult: PageLatestResult.nullable(),
});

const PageDetailResponse = namedObject('PageDetailResponse', {
  page: SitePageWithResult,
  baselines: z.array(PageCurrentBaseline).describe('The current baseline of each viewport'),
  viewports: z.array(z.string()).describe('Viewports that have baseline versions'),
  versionCount: z.int(),
});

const AddSitePageInput = named(
  'AddSitePageInput',
  z
    .object({ url: SuiteAddress.optional(), path: trimmedText(PATH_MAX_LENGTH).optional() })
    .describe('Either `url`, which must be on the suite’s own host, or `path`'),
);

const { version, source, approvedAt, testRunId, prNumber, note, restoredVersion } = BaselineVersion.shape;
const { id, status, cause, approved, diffScore, stability } = PageResult.shape;

const Screenshot = namedObject('Screenshot', {
  path: z.string(),
  viewport: z.string(),
  stability: z
    .object({ unstable: z.int(), results: z.int() })
    .nullable()
    .describe('How many of the results in the newest 20 runs never looked the same twice. null: none'),
  versions: z
    .array(z.object({ version, source, approvedAt, testRunId, prNumber, note, restoredVersion, diffScore }))
    .describe('The newest ten versions of its baseline, the current one first'),
  results: z
    .array(
      z.object({
        id,
        status,
        cause,
        approved,
        diffScore,
        stability,
        testRunId: PublicId,
        runNumber: z.int(),
        at: IsoDate,
      }),
    )
    .describe('What the newest ten runs that captured it found'),
});

export const getPages = listRoute(
  {
    operationId: 'listPages',
    suiteToken: 'read',
    summary: 'List the pages of a suite by path, with the state of its crawl and counts of all pages',
    ...onSuite('suite.read'),
    response: namedObject('SitePagesResponse', {
      pages: z.array(SitePageWithResult),
      crawl: SuiteCrawlState,
      counts: z.object({ total: z.int(), tracked: z.int(), new: z.int(), removed: z.int() }),
    }),
    list: { most: 1000, place: z.tuple([z.string()]) },
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
    body: namedObject('SitePageBulkActionInput', {
      action: named('SitePageAction', z.enum(SITE_PAGE_ACTIONS)),
      pageIds: z.array(Id).max(10_000),
    }),
    response: namedObject('SitePageBulkActionResponse', { message: z.string(), affected: z.int() }),
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
    body: AddSitePageInput,
    response: namedObject('SitePage', pageFields),
  },
  async (ctx, { suite, body }) => addPage(ctx, suite, body),
);

export const getPage = route(
  {
    operationId: 'readPage',
    suiteToken: 'read',
    summary: 'Read a page with its current baselines',
    ...onPage('suite.read'),
    response: PageDetailResponse,
  },
  async (ctx, { suite, page }) => {
    const baselines = await readCurrentVersions(ctx.db, suite, page);
    const versionCount = baselines.reduce((total, { version }) => total + version, 0);
    return { page, baselines, viewports: baselines.map(({ viewport }) => viewport), versionCount };
  },
);

export const getPageHistory = listRoute(
  {
    operationId: 'readPageHistory',
    summary: 'List a page’s baseline versions, newest first',
    ...onPage('suite.read'),
    query: z.object({ viewport: z.string().optional() }),
    response: namedObject('PageHistoryResponse', {
      page: z.object({ id: PublicId, path: z.string(), title: z.string().optional(), url: z.string() }),
      events: z.array(BaselineVersionEvent).describe('Newest first'),
      viewports: z.array(z.string()),
    }),
    list: { most: 1000, place: z.tuple([z.string(), z.int(), z.string()]) },
  },
  async (ctx, { suite, page, query, part }) => {
    const [{ items: events, next }, baselines] = await Promise.all([
      readPageHistory(ctx, suite, page, { ...query, ...part }),
      readCurrentVersions(ctx.db, suite, page),
    ]);
    const { title, ...rest } = page;
    const named = title === null ? rest : { ...rest, title };
    return { page: named, events, viewports: baselines.map(({ viewport }) => viewport).toSorted(), next };
  },
);

const NEWEST = 10;

export const getScreenshot = route(
  {
    operationId: 'readScreenshot',
    suiteToken: 'read',
    summary: 'Read the history and the stability of one page at one viewport',
    ...onSuite('suite.read'),
    query: z.object({
      path: z.string().min(1).max(PATH_MAX_LENGTH).describe('Path and query string of the page'),
      viewport: z.string().min(1).max(100).describe('The name of the viewport'),
    }),
    response: Screenshot,
  },
  async (ctx, { suite, query }) => {
    const { path, viewport } = query;
    const [{ items: versions }, results, shares] = await Promise.all([
      listVersions(ctx, suite, query, { limit: NEWEST, after: null }),
      readResultsOfPage(ctx.db, suite, query),
      readStability(ctx.db, suite, [path]),
    ]);
    if (versions.length === 0 && results.length === 0) throw notFound('Screenshot');
    const stability = shares.find((share) => share.viewport === viewport) ?? null;
    return { path, viewport, stability, versions, results: results.slice(0, NEWEST) };
  },
);
