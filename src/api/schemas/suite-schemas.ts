import { z } from 'zod';
import { SUITE_SCOPES } from '../../access/role.ts';
import { ChoiceChange, HEARS, SuiteChoiceChange } from '../../notices/choice.ts';
import { TELLS } from '../../notices/target.ts';
import { DEFAULT_CONFIG, SUITE_CONFIG, SuiteConfigInput } from '../../suites/config/suite-config.ts';
import { VIEWPORT } from '../../suites/config/viewport.ts';
import { LinkName, SuiteAddress, SuiteDescription, SuiteName } from '../../suites/suite-input.ts';
import { CRAWL_STATUSES, SUITE_KINDS } from '../../suites/suite.ts';
import { TestSuiteViewerAccess } from './access-schemas.ts';
import { IsoDate, IsoText, named, namedObject, PublicId, recordFields } from './common-schemas.ts';
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

export const SuiteCrawlState = namedObject('SuiteCrawlState', {
  status: named('CrawlStatus', z.enum(CRAWL_STATUSES)),
  lastCrawledAt: IsoDate.nullable(),
  lastStats: named(
    'CrawlStats',
    z.object({ pagesFound: z.int(), pagesAdded: z.int(), pagesRemoved: z.int() }),
  ).nullable(),
  error: z.string().nullable(),
});

const codeHostFields = {
  owner: LinkName,
  repo: LinkName,
  installationId: z.int().min(1),
  checkContext: LinkName.optional().describe('Name of the check run, instead of the default'),
};

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

const TestSuiteKind = named('TestSuiteKind', z.enum(SUITE_KINDS));

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

const baseUrl = SuiteAddress.describe('An absolute http(s) URL');
const description = SuiteDescription.nullish();

export const CreateTestSuiteInput = namedObject('CreateTestSuiteInput', {
  name: SuiteName,
  baseUrl,
  description,
  config: TestSuiteConfigInput.optional(),
  crawl: z.boolean().optional().describe('Whether to queue the first crawl at once. Default: false'),
});

export const UpdateTestSuiteInput = namedObject('UpdateTestSuiteInput', {
  name: SuiteName.optional(),
  baseUrl: baseUrl.optional(),
  description,
  config: TestSuiteConfigInput.optional().describe('Merged into the stored config; null resets a field to its default'),
  settingsVersion: z
    .string()
    .max(64)
    .optional()
    .describe(
      '`settingsVersion` of the suite that the change was made from. If name, base URL, description or config have changed since, nothing is saved: the response is 409 `changed_meanwhile` with both values of each setting (`now` and `wanted`), and with the current `settingsVersion`. Default: overwrite.',
    ),
  isActive: z.boolean().optional(),
  codehost: z.object(codeHostFields).nullish().describe('null unlinks the repository'),
});

const chosen = {
  hears: named('Hears', z.enum(HEARS)).nullable().describe('By email. null: as for all suites'),
  tells: z.enum(TELLS).nullable().describe('null: as for all suites'),
};

export const SuiteFollow = namedObject('SuiteFollow', {
  following: z
    .boolean()
    .describe('Whether the suite’s newest run is on the caller’s dashboard, and the caller may hear of it by email'),
  ...chosen,
});

export const FollowInput = named('FollowInput', SuiteChoiceChange.describe('Omitted fields keep their values'));

export const EmailChoices = namedObject('EmailChoices', {
  isConfigured: z.boolean().describe('false: there is no mail server, so nothing is sent'),
  hears: chosen.hears.unwrap().describe('Of the suites that the caller follows. Each includes those after it'),
  tells: chosen.tells
    .unwrap()
    .describe('With ALL, the ends of which runs: those that failed or wait for a review, or all'),
});

export const EmailChoicesInput = named('EmailChoicesInput', ChoiceChange.describe('Omitted fields keep their values'));

export const ListTestSuitesQuery = z.object({
  kind: TestSuiteKind.optional().describe('Default: SUITE, which leaves out single pages'),
  scope: named('SuiteScope', z.enum(SUITE_SCOPES)).optional().describe('Default: ALL'),
});

export const CrawlSiteResponse = namedObject('CrawlSiteResponse', { message: z.string() });

const CrawlProgress = namedObject('CrawlProgress', {
  pagesFound: z.int(),
  lastPages: z
    .array(z.object({ path: z.string(), title: z.string().nullable() }))
    .describe('The most recently found pages, newest first; at most five'),
});

const AutoTracked = namedObject('AutoTracked', {
  tracked: z.int().describe('Pages that the crawl tracked automatically'),
  beyondLimit: z.int().describe('Pages that it left untracked because of the limit'),
});

export const SuiteCrawlResponse = namedObject('SuiteCrawlResponse', {
  crawl: SuiteCrawlState,
  progress: CrawlProgress.nullable().describe('null unless a crawl is running'),
  autoTracked: AutoTracked.nullable().describe('Of the last completed crawl; null when `autoTrack` was `off`'),
});
