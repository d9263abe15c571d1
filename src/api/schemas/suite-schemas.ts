import { z } from 'zod';
import { ACCESS_SOURCES } from '../../access/role.ts';
import { DEFAULT_CONFIG, SUITE_CONFIG, SuiteConfigInput } from '../../suites/config/suite-config.ts';
import { VIEWPORT } from '../../suites/config/viewport.ts';
import { CRAWL_STATUSES, SUITE_KINDS } from '../../suites/suite.ts';
import {
  IsoDate,
  IsoText,
  named,
  namedObject,
  PublicId,
  recordFields,
  SuiteRole,
  UserSummary,
} from './common-schemas.ts';

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
    z.object({ pagesFound: z.int(), pagesAdded: z.int(), pagesRemoved: z.int() }),
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
