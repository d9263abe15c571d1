import { z } from 'zod';
import { Id } from '../../http/acts-on.ts';
import { PATH_MAX_LENGTH } from '../../pages/page-identity.ts';
import { PAGE_STATUSES, SITE_PAGE_ACTIONS } from '../../pages/site-page.ts';
import { SuiteAddress } from '../../suites/suite-input.ts';
import { trimmedText } from '../../text/trimmed-text.ts';
import { BaselineVersion, BaselineVersionEvent, PageCurrentBaseline } from './baseline-schemas.ts';
import { IsoDate, named, namedObject, PublicId, recordFields } from './common-schemas.ts';
import { PageResult, ResultStatus } from './result-schemas.ts';
import { SuiteCrawlState } from './suite-schemas.ts';

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

export const SitePage = namedObject('SitePage', pageFields);

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

export const SitePagesResponse = namedObject('SitePagesResponse', {
  pages: z.array(SitePageWithResult),
  crawl: SuiteCrawlState,
  counts: z.object({ total: z.int(), tracked: z.int(), new: z.int(), removed: z.int() }),
});

export const PageDetailResponse = namedObject('PageDetailResponse', {
  page: SitePageWithResult,
  baselines: z.array(PageCurrentBaseline).describe('The current baseline of each viewport'),
  viewports: z.array(z.string()).describe('Viewports that have baseline versions'),
  versionCount: z.int(),
});

export const PageHistoryResponse = namedObject('PageHistoryResponse', {
  page: z.object({ id: PublicId, path: z.string(), title: z.string().optional(), url: z.string() }),
  events: z.array(BaselineVersionEvent).describe('Newest first'),
  viewports: z.array(z.string()),
});

export const PAGES_AT_ONCE = { most: 1000, place: z.tuple([z.string()]) };
export const EVENTS_AT_ONCE = { most: 1000, place: z.tuple([z.string(), z.int(), z.string()]) };

export const PageParams = z.object({ id: Id.describe('The suite'), pageId: Id });
export const HistoryQuery = z.object({ viewport: z.string().optional() });

export const SitePageBulkActionInput = namedObject('SitePageBulkActionInput', {
  action: named('SitePageAction', z.enum(SITE_PAGE_ACTIONS)),
  pageIds: z.array(Id).max(10_000),
});
export const SitePageBulkActionResponse = namedObject('SitePageBulkActionResponse', {
  message: z.string(),
  affected: z.int(),
});

export const AddSitePageInput = named(
  'AddSitePageInput',
  z
    .object({ url: SuiteAddress.optional(), path: trimmedText(PATH_MAX_LENGTH).optional() })
    .describe('Either `url`, which must be on the suite’s own host, or `path`'),
);

export const ScreenshotQuery = z.object({
  path: z.string().min(1).max(PATH_MAX_LENGTH).describe('Path and query string of the page'),
  viewport: z.string().min(1).max(100).describe('The name of the viewport'),
});

const { version, source, approvedAt, testRunId, prNumber, note, restoredVersion } = BaselineVersion.shape;
const { id, status, cause, approved, diffScore, stability } = PageResult.shape;

export const Screenshot = namedObject('Screenshot', {
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
