import { z } from 'zod';
import { SUITE_SCOPES } from '../../access/role.ts';
import { DEFAULT_CONFIG, SUITE_CONFIG, SuiteConfigInput } from '../../suites/suite-config.ts';
import { VIEWPORT } from '../../suites/viewport.ts';
import { LinkName, SuiteAddress, SuiteDescription, SuiteName } from '../../suites/suite-input.ts';
import { CRAWL_STATUSES, SUITE_KINDS } from '../../suites/suite.ts';
import { TestSuiteViewerAccess } from './access-schemas.ts';
import { IsoDate, PublicId, recordFields } from './common-schemas.ts';
import { named } from './components.ts';
import { UserSummary } from './user-schemas.ts';

named('Viewport', VIEWPORT.value);
named('ViewportInput', VIEWPORT.schema);
named('RecrawlInterval', SUITE_CONFIG.fields.recrawlInterval.value);
named('WaitStrategy', SUITE_CONFIG.fields.waitStrategy.value);
const TestSuiteConfigInput = named('TestSuiteConfigInput', SuiteConfigInput);

const TestSuiteConfig = named(
  'TestSuiteConfig',
  SUITE_CONFIG.value
    .describe('The effective config: what was set, and the default of every other field')
    .meta({ examples: [DEFAULT_CONFIG] }),
);

export const SuiteCrawlState = named(
  'SuiteCrawlState',
  z.object({
    status: named('CrawlStatus', z.enum(CRAWL_STATUSES)),
    lastCrawledAt: IsoDate.nullable(),
    lastStats: named(
      'CrawlStats',
      z.object({ pagesFound: z.int(), pagesAdded: z.int(), pagesRemoved: z.int() }),
    ).nullable(),
    error: z.string().nullable(),
  }),
);

const codeHostFields = {
  owner: LinkName,
  repo: LinkName,
  installationId: z.int().min(1),
  checkContext: LinkName.optional().describe('Name of the check run, instead of the default'),
};

const TestSuiteCodeHostLink = named(
  'TestSuiteCodeHostLink',
  z.object({
    owner: z.string(),
    repo: z.string(),
    installationId: z.int(),
    checkContext: z.string().optional(),
  }),
);

const TestSuiteKind = named('TestSuiteKind', z.enum(SUITE_KINDS));

export const TestSuite = named(
  'TestSuite',
  z.object({
    id: recordFields.id,
    name: z.string(),
    baseUrl: z.string(),
    description: z.string().nullable(),
    kind: TestSuiteKind,
    config: TestSuiteConfig,
    userId: PublicId,
    isActive: z.boolean(),
    codehost: TestSuiteCodeHostLink.nullable(),
    crawl: SuiteCrawlState.nullable(),
    owner: UserSummary.nullable(),
    access: TestSuiteViewerAccess.nullable(),
    shareCount: z.int(),
    createdAt: recordFields.createdAt,
    updatedAt: recordFields.updatedAt,
  }),
);

export const TestSuiteSummary = named(
  'TestSuiteSummary',
  z.object({ id: PublicId, name: z.string(), baseUrl: z.string() }),
);

const baseUrl = SuiteAddress.describe('An absolute http(s) URL');
const description = SuiteDescription.nullish();

export const CreateTestSuiteInput = named(
  'CreateTestSuiteInput',
  z.object({ name: SuiteName, baseUrl, description, config: TestSuiteConfigInput.optional() }),
);

export const UpdateTestSuiteInput = named(
  'UpdateTestSuiteInput',
  z.object({
    name: SuiteName.optional(),
    baseUrl: baseUrl.optional(),
    description,
    config: TestSuiteConfigInput.optional().describe(
      'Merged into the stored config; null resets a field to its default',
    ),
    isActive: z.boolean().optional(),
    codehost: z.object(codeHostFields).nullish().describe('null unlinks the repository'),
  }),
);

export const ListTestSuitesQuery = z.object({
  kind: TestSuiteKind.optional().describe('Default: SUITE, which leaves out single pages'),
  scope: named('SuiteScope', z.enum(SUITE_SCOPES)).optional().describe('Default: ALL'),
});

export const CrawlSiteResponse = named('CrawlSiteResponse', z.object({ message: z.string() }));
