import { z } from 'zod';
import { ACCESS_SOURCES, SUITE_ROLES } from '../access/role.ts';
import { BASELINE_SOURCES } from '../baselines/baseline.ts';
import { DEFAULT_CONFIG, SUITE_CONFIG, SuiteConfigInput } from '../suites/config/suite-config.ts';
import { VIEWPORT } from '../suites/config/viewport.ts';
import { CRAWL_STATUSES, SUITE_KINDS } from '../suites/suite.ts';
import { formatNumber } from '../text/format.ts';

const byId = new Map<string, z.ZodType>();

/**
 * Gives a schema its name under `components` in the OpenAPI document. Schemas without a name are written out where they
 * are used. This does not use zod's global registry, because that accepts two schemas with the same name without an
 * error.
 */
export function named<S extends z.ZodType>(id: string, schema: S): S {
  if (byId.has(id)) throw new Error(`Two schemas are named ${id}`);
  byId.set(id, schema);
  return schema;
}

export const namedObject = <S extends z.core.$ZodLooseShape>(id: string, shape: S) => named(id, z.object(shape));

/**
 * The body of a request that does more when a field is left out: a misspelled `resultIds`, dropped as elsewhere, would
 * approve all results. So fields that it does not know are refused.
 */
export const inputObject = <S extends z.core.$ZodLooseShape>(id: `${string}Input`, shape: S) =>
  named(id, z.strictObject(shape));

export function namedSchemas(): ReadonlyMap<string, z.ZodType> {
  return byId;
}

/** A moment that is kept as text. */
export const IsoText = named(
  'ISODateString',
  z.string().meta({ format: 'date-time', description: 'An ISO-8601 timestamp' }),
);

export const IsoDate = z
  .date()
  .transform((date) => date.toISOString())
  .pipe(IsoText);

export const PublicId = z.string().meta({ format: 'uuid' });

/** The fields of every stored record. */
export const recordFields = { id: PublicId, createdAt: IsoDate, updatedAt: IsoDate };

export const SuiteRole = named('SuiteRole', z.enum(SUITE_ROLES));

export const UserSummary = namedObject('UserSummary', {
  id: PublicId,
  name: z.string().nullable(),
  email: z.string().nullable(),
  image: z.string().nullable(),
});

/** Where more of the API is. */
export const Address = z.string().meta({ format: 'uri' });

/** The name of a stored image, which is sent as a URL that a browser can open. */
export const ImageUrl = z.string().meta({ format: 'uri' });

/** A number in a query, by its digits. */
export function wholeNumber(least: number, most: number) {
  const message = `must be a whole number from ${formatNumber(least)} to ${formatNumber(most)}`;
  return z.coerce.number(message).int(message).min(least, message).max(most, message);
}

/** The position of an item in a list that is ordered by creation time; see `ListBounds`. */
export const TimePlace = z.tuple([z.string(), z.guid()]);

export const MessageResponse = namedObject('MessageResponse', { message: z.string() });

export const ApiError = namedObject('ApiError', {
  error: z.string().describe('A sentence for people'),
  details: z
    .looseObject({
      code: z.string().describe('A stable snake_case code for programs'),
      issues: z
        .array(z.object({ path: z.string(), message: z.string() }))
        .optional()
        .describe('Present when validation failed: which fields, and why'),
    })
    .describe('`code`, and more fields for some codes'),
});

export const Pagination = namedObject('Pagination', {
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  hasMore: z.boolean(),
});

export const RunAccepted = { message: z.string(), testRunId: PublicId };

const BaselineSource = named('BaselineSource', z.enum(BASELINE_SOURCES));

const diffScore = z
  .number()
  .nullable()
  .describe(
    'Percentage of pixels that differ from the version it replaced, 0 to 100; 0 = identical. Measured again when another version was approved after the comparison. null for the first version, and when one of the two screenshots is missing or cannot be read',
  );

export const Baseline = namedObject('Baseline', {
  ...recordFields,
  testSuiteId: PublicId,
  url: z.string(),
  path: z.string().nullable(),
  viewport: z.string(),
  filePath: ImageUrl,
  isApproved: z.boolean().describe('False while the current version is INITIAL, which no person has approved'),
  currentVersion: z.int().nullable(),
  currentVersionId: PublicId.nullable(),
});

/** What a page shows of each of its versions, the current ones and earlier ones. */
const shownFields = {
  viewport: z.string(),
  version: z.int(),
  filePath: ImageUrl,
  source: BaselineSource,
  approvedBy: UserSummary.nullable(),
  approvedAt: IsoDate,
};

const versionFields = {
  ...shownFields,
  testRunId: PublicId.nullable(),
  diffScore,
  prNumber: z.int().nullable(),
  note: z.string().nullable(),
  restoredVersion: z.int().nullable().describe('The earlier version whose screenshot it has again'),
};

export const BaselineVersion = namedObject('BaselineVersion', {
  ...recordFields,
  testSuiteId: PublicId,
  path: z.string(),
  url: z.string(),
  ...versionFields,
  pageResultId: PublicId.nullable(),
});

export const BaselineVersionEvent = namedObject('BaselineVersionEvent', {
  id: PublicId,
  ...versionFields,
  previousFilePath: ImageUrl.nullable(),
  previousVersionId: PublicId.nullable(),
});

export const PageCurrentBaseline = namedObject('PageCurrentBaseline', shownFields);

export const TeamSummary = namedObject('TeamSummary', { id: z.string(), name: z.string() });

export const TestSuiteViewerAccess = namedObject('TestSuiteViewerAccess', {
  role: SuiteRole,
  isOwner: z.boolean(),
  via: named('AccessSource', z.enum(ACCESS_SOURCES)),
  team: TeamSummary.nullable(),
});

named('Viewport', VIEWPORT.value);
named('ViewportInput', VIEWPORT.schema);
named('RecrawlInterval', SUITE_CONFIG.fields.recrawlInterval.value);
named('WaitStrategy', SUITE_CONFIG.fields.waitStrategy.value);
export const TestSuiteConfigInput = named('TestSuiteConfigInput', SuiteConfigInput);

const TestSuiteConfig = named(
  'TestSuiteConfig',
  SUITE_CONFIG.value
    .describe('The effective config: what was set, and the default of every other field')
    .meta({ examples: [DEFAULT_CONFIG] }),
);

export const SuiteCrawlState = namedObject('SuiteCrawlState', {
  status: named('CrawlStatus', z.enum(CRAWL_STATUSES)),
  lastCrawledAt: IsoDate.nullable(),
  lastStats: named(
    'CrawlStats',
    z.object({
      pagesFound: z.int(),
      pagesAdded: z.int(),
      pagesRemoved: z.int(),
      warnings: z.array(z.string()).optional().describe('What was left out or could not be read. Missing: nothing'),
    }),
  ).nullable(),
  error: z.string().nullable(),
});

const TestSuiteCodeHostLink = namedObject('TestSuiteCodeHostLink', {
  owner: z.string(),
  repo: z.string(),
  installationId: z.int(),
  checkContext: z.string().optional(),
});

const TestSuiteConfigFile = namedObject('TestSuiteConfigFile', {
  path: z.string().describe('In the repository'),
  branch: z.string().nullable().describe('The default branch. null: not known yet'),
  url: z.string(),
  settings: z
    .array(z.object({ path: z.string(), line: z.int(), url: z.string() }))
    .describe('What the file sets, such as `config.threshold`. Changing it through the API is a 409'),
  problem: z.string().nullable().describe('Why the newest version cannot be used. The last valid one stays in use'),
  readAt: IsoText.describe('When this version was read'),
});

export const TestSuiteKind = named('TestSuiteKind', z.enum(SUITE_KINDS));

export const TestSuite = namedObject('TestSuite', {
  ...recordFields,
  name: z.string(),
  baseUrl: z.string(),
  description: z.string().nullable(),
  kind: TestSuiteKind,
  config: TestSuiteConfig,
  configFile: TestSuiteConfigFile.nullable().describe('The repository’s file that sets some of the config'),
  userId: PublicId,
  isActive: z.boolean(),
  codehost: TestSuiteCodeHostLink.nullable(),
  crawl: SuiteCrawlState.nullable(),
  owner: UserSummary.nullable(),
  access: TestSuiteViewerAccess.nullable(),
  shareCount: z.int(),
});

export const TestSuiteSummary = namedObject('TestSuiteSummary', {
  id: PublicId,
  name: z.string(),
  baseUrl: z.string(),
});
