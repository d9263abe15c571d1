import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { openApiDocument } from '../../../src/api/document/openapi.ts';
import { ROUTES } from '../../../src/api/route-list.ts';

type Json = Record<string, any>;

const document: Json = openApiDocument(ROUTES, { publicUrl: 'http://localhost:3000' });

/** Written by hand: method, path, status code on success. */
const CONTRACT = `
POST /auth/register 201
POST /auth/login 200
POST /auth/logout 200
GET /auth/me 200
POST /auth/forgot-password 200
POST /auth/reset-password 200
POST /auth/sign-in-link 201
GET /auth/github 302
GET /auth/github/callback 302
GET /auth/oidc 302
GET /auth/oidc/callback 302
POST /auth/oidc/github 200
POST /test-suites/{id}/builds 201
GET /test-suites/{id}/builds/{buildId} 200
POST /test-suites/{id}/leave 200
POST /test-suites/{id}/hand-over 200
GET /admin/accounts 200
GET /admin/accounts/{accountId} 200
PATCH /admin/accounts/{accountId} 200
POST /admin/accounts/{accountId}/sign-out 200
POST /admin/accounts/{accountId}/password-reset 200
POST /admin/accounts/{accountId}/hand-over 200
GET /tokens 200
POST /tokens 201
DELETE /tokens/{tokenId} 200
GET /test-suites/{id}/tokens 200
POST /test-suites/{id}/tokens 201
DELETE /test-suites/{id}/tokens/{tokenId} 200
GET /email-choices 200
PATCH /email-choices 200
GET /dashboard 200
GET /search 200
GET /test-suites/{id}/follow 200
PUT /test-suites/{id}/follow 200
DELETE /test-suites/{id}/follow 200
GET /test-suites 200
POST /test-suites 201
GET /test-suites/{id} 200
PATCH /test-suites/{id} 200
DELETE /test-suites/{id} 200
POST /test-suites/{id}/run 202
POST /test-suites/{id}/crawl 202
GET /test-suites/{id}/pages 200
PATCH /test-suites/{id}/pages 200
POST /test-suites/{id}/pages 201
GET /test-suites/{id}/pages/{pageId} 200
GET /test-suites/{id}/pages/{pageId}/history 200
GET /test-suites/{id}/access 200
POST /test-suites/{id}/access 201
PATCH /test-suites/{id}/access/{grantId} 200
DELETE /test-suites/{id}/access/{grantId} 200
GET /test-runs 200
GET /test-runs/{id} 200
PATCH /test-runs/{id} 200
GET /test-runs/{id}/logs 200
GET /test-runs/{id}/results 200
POST /test-runs/{id}/approve-visuals 200
POST /test-runs/{id}/different-servers 200
DELETE /test-runs/{id}/different-servers 200
POST /test-runs/{id}/rerun 202
GET /manual-runs 200
POST /manual-runs 201
GET /manual-runs/{id} 200
POST /manual-runs/{id}/run 202
GET /baselines 200
GET /baselines/{id} 200
POST /baselines 201
GET /baseline-versions 200
POST /baseline-versions/compare 200
GET /code-host/installations 200
GET /code-host/repos 200
GET /code-host/doctor 200
GET /test-suites/{id}/pull-requests 200
POST /test-suites/{id}/pull-requests 202
GET /test-runs/{id}/state 200
GET /test-runs/{id}/summary 200
GET /test-runs/{id}/failures 200
GET /test-suites/{id}/screenshot 200
GET /test-runs/{id}/changes 200
GET /test-runs/{id}/accessibility 200
GET /test-runs/{id}/changes/{changeId}/variants 200
POST /test-runs/{id}/changes/{changeId}/approve 200
GET /test-suites/{id}/targets 200
POST /test-suites/{id}/targets 201
GET /targets 200
POST /targets 201
PATCH /targets/{targetId} 200
DELETE /targets/{targetId} 200
POST /targets/{targetId}/secret 200
POST /targets/{targetId}/test 202
GET /targets/{targetId}/deliveries 200
POST /targets/{targetId}/deliveries/{deliveryId}/send 202
GET /test-suites/{id}/site-access 200
PUT /test-suites/{id}/site-access 200
DELETE /test-suites/{id}/site-access 200
GET /test-suites/{id}/storage 200
GET /storage 200
GET /test-suites/{id}/ignored-changes 200
POST /test-suites/{id}/ignored-changes 201
DELETE /test-suites/{id}/ignored-changes/{ignoredChangeId} 200
PATCH /test-runs/{id}/results/{resultId} 200
GET /test-suites/{id}/crawl 200
POST /site-looks 202
GET /site-looks/{id} 200
GET /test-runs/{id}/verdicts 200
POST /test-runs/{id}/verdicts 200
PATCH /test-runs/{id}/settings-change 200
GET /test-runs/{id}/change-requests 200
GET /events 200
GET /events/export 200
GET /test-runs/{id}/comments 200
POST /test-runs/{id}/comments 201
PATCH /test-runs/{id}/comments/{commentId} 200
DELETE /test-runs/{id}/comments/{commentId} 200
GET /test-suites/{id}/invitations 200
POST /test-suites/{id}/invitations 201
DELETE /test-suites/{id}/invitations/{invitationId} 200
POST /invitations/accept 200
PUT /test-runs/{id}/assignees 200
`
  .trim()
  .split('\n')
  .sort();

function operations(): { method: string; path: string; operation: Json }[] {
  return Object.entries<Json>(document['paths']).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** Whether nobody needs to sign in. */
const isOpen = (security: Json[] | undefined) =>
  security !== undefined && (security.length === 0 || security.some((each) => Object.keys(each).length === 0));

function* everyValue(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  yield value;
  for (const part of Object.values(value)) yield* everyValue(part);
}

/** The fields of each shape, written by hand. `?` marks those that may be missing. */
const SHAPES: Record<string, string> = {
  User: 'id email name image createdAt updatedAt',
  UserSummary: 'id name email image',
  TestSuite:
    'id name baseUrl description kind config configFile userId isActive codehost crawl owner access shareCount createdAt updatedAt',
  TestSuiteCodeHostLink: 'owner repo installationId checkContext?',
  TestSuiteConfig:
    'maxPages maxDepth recrawlInterval viewports waitStrategy waitTime fullPage customCss threshold failureThreshold screenshotConcurrency comparisonConcurrency crawlOptions alignment blockHosts clock colorScheme control ignoreFaint locale preview reducedMotion rules seedRandom settle timezone baseBranches behind autoTrack serviceWorkers reuseUnchanged pullRequestComment summaryCheck badge schedule accessibility accessibilityGate keepDays keepRuns',
  Viewport: 'width height name colorScheme deviceScaleFactor touch userAgent',
  SuiteCrawlState: 'status lastCrawledAt lastStats error',
  CrawlStats: 'pagesFound pagesAdded pagesRemoved warnings?',
  TestSuiteSummary: 'id name baseUrl',
  SitePage: 'id testSuiteId url path title status tracked firstSeenAt lastSeenAt removedAt createdAt updatedAt',
  PageLatestResult: 'testRunId status diffScore viewports',
  TestRun:
    'id number name testSuiteId status runType buildId git reviewState startedAt endedAt verdictNumber changeRequests metadata trigger startedById tokenName cancelledById createdAt updatedAt',
  TestRunGitContext:
    'prNumber? title? headSha? message? branch? baseBranch? previewUrl? checkRunId? installationId? enqueued? configChange? gated?',
  TestRunMetadata:
    'totalPages? totalScreenshots? passedTests? failedTests? errorTests? provenScreenshots? removedPages? error? cancelledAt? reason?',
  PageResult:
    'id testRunId url path viewport status approved approvedById approvedAt isNew currentFile baselineFile diffFile diffScore error createdAt updatedAt cause changeIds accessibilityIds controlFile servers cut faint stability causePullRequest causeVersion verdictNumber changesRequested leftOut baseSettings proof',
  SettingsChange: 'id state differences approvedBy approvedAt carriedOver withBaseSettings',
  SettingsDifference: 'field before after effect applies pages paths viewports summary',
  Change:
    'id kind element summary before after pages viewports count beforeCrop afterCrop state faint variantCount variants',
  ChangeVariant: 'id count pages viewports beforeCrop afterCrop pictures state',
  AccessibilityChange: 'id element summary before after holds pages viewports count resultId',
  ApproveChangeResponse: 'message changes approved',
  IgnoredChange:
    'id testSuiteId path viewport baselineFile currentFile note author expiresAt uses lastUsedAt createdAt updatedAt',
  TestRunLog: 'id testRunId type message metadata progress timestamp createdAt updatedAt',
  Baseline: 'id testSuiteId url path viewport filePath isApproved currentVersion currentVersionId createdAt updatedAt',
  BaselineVersion:
    'id testSuiteId path url viewport version filePath source approvedBy approvedAt testRunId pageResultId diffScore prNumber note restoredVersion createdAt updatedAt',
  BaselineVersionRef: 'id version filePath viewport approvedAt',
  BaselineVersionEvent:
    'id viewport version filePath previousFilePath previousVersionId source approvedBy approvedAt diffScore prNumber testRunId note restoredVersion',
  PageCurrentBaseline: 'viewport version filePath approvedBy approvedAt source',
  TestSuiteGrant: 'id testSuiteId principal role user team grantedBy createdAt updatedAt',
  AccessPrincipal: 'type id',
  TeamSummary: 'id name',
  TestSuiteViewerAccess: 'role isOwner via team',
  CodeHostInstallation: 'id installationId accountLogin accountType repos createdAt updatedAt',
  CodeHostRepo: 'owner repo fullName private',
  ApiError: 'error details',
  MessageResponse: 'message',
  Pagination: 'total limit offset hasMore',
  DashboardStats: 'totalTestSuites recentTestRuns runningTests',
  TestRunStats: 'total passed failed errors pending',
  UrlStats: 'passed failed errors pending',
  SitePagesResponse: 'pages crawl counts',
  PageDetailResponse: 'page baselines viewports versionCount',
  PageHistoryResponse: 'page events viewports',
  SitePageBulkActionResponse: 'message affected',
  TestSuiteAccessResponse: 'owner grants access',
  TestSuiteGrantResponse: 'grant',
  RerunPageResponse: 'message testRunId rerunCount',
  RunTestSuiteResponse: 'message testRunId',
  CrawlSiteResponse: 'message',
  CreateManualRunResponse: 'manualRun testRunId',
  RunManualRunResponse: 'message testRunId',
  CompareBaselinesResponse: 'from to diffFile diffScore diffPercentage dimensions',
  TestRunsListResponse: 'testRuns pagination',
  TestRunLogsResponse: 'testRunId logs count',
  AuthResponse: 'user token',
  MeResponse: 'user',
  SignInLinkResponse: 'url expiresAt',
};

describe('the OpenAPI document', () => {
  it('has every operation of the contract, and no other', () => {
    const documented = operations().map(({ method, path, operation }) => {
      const codes = Object.keys(operation['responses']).filter((code) => code < '400');
      return `${method} ${path} ${codes.join()}`;
    });
    expect(documented.sort()).toEqual(CONTRACT);
  });

  it('names every operation once', () => {
    const ids = operations().map(({ operation }) => operation['operationId']);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(Object.entries(SHAPES))('gives %s the fields of the specification', (name, fields) => {
    const schema: Json = document['components'].schemas[name];
    const required: string[] = schema['required'] ?? [];
    const described = Object.keys(schema['properties']).map((key) => (required.includes(key) ? key : `${key}?`));
    expect(described.sort()).toEqual(fields.split(' ').sort());
  });

  it('refers only to what is there', () => {
    for (const value of everyValue(document)) {
      if (typeof value['$ref'] !== 'string') continue;
      const name = value['$ref'].replace('#/components/schemas/', '');
      expect(Object.keys(document['components'].schemas)).toContain(name);
    }
  });

  it('documents every placeholder of a path as a parameter', () => {
    for (const { path, operation } of operations()) {
      const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const parameters: Json[] = operation['parameters'] ?? [];
      const inPath = parameters.filter((parameter) => parameter['in'] === 'path');
      expect(inPath.map((parameter) => parameter['name'])).toEqual(placeholders);
      expect(inPath.every((parameter) => parameter['required'])).toBe(true);
    }
  });

  it('asks for a token everywhere but where one is got', () => {
    const open = operations().filter(({ operation }) => isOpen(operation['security']));
    expect(open.every(({ path }) => path.startsWith('/auth/'))).toBe(true);
    expect(open.map(({ path }) => path)).not.toContain('/auth/me');
    expect(document['security']).toEqual([{ bearer: [] }, { cookie: [] }]);
  });

  it('says which operations a token of a suite may do, and with which scope', () => {
    const scopes = operations().flatMap(({ method, path, operation }) => {
      const scope = operation['security']?.find((each: Json) => each['suiteToken'] !== undefined)?.suiteToken;
      return scope === undefined || scope[0] === 'read' ? [] : [`${method} ${path} ${scope}`];
    });
    expect(scopes.toSorted()).toEqual([
      'PATCH /test-runs/{id} run',
      'POST /test-runs/{id}/rerun run',
      'POST /test-suites/{id}/builds upload',
      'POST /test-suites/{id}/run run',
    ]);
  });

  it('says at every diffScore which way it counts', () => {
    const scores = [...everyValue(document['components'].schemas)].flatMap((value) => value['diffScore'] ?? []);
    expect(scores.length).toBeGreaterThanOrEqual(5);
    for (const score of scores) expect(score.description).toMatch(/0 = identical|100 = identical/);
    const compared = document['components'].schemas['CompareBaselinesResponse'].properties.diffScore;
    expect(compared.description).toContain('100 = identical');
  });

  it('has the version of the package', async () => {
    const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
    expect(document['info'].version).toBe(JSON.parse(text).version);
  });

  it('says of every list how many items it has unless asked otherwise, how many at most, and where the rest is', () => {
    const bounds = operations().flatMap(({ path, operation }) => {
      const parameters: Json[] = operation['parameters'] ?? [];
      const [limit] = parameters.filter(({ name }) => name === 'limit');
      if (limit === undefined) return [];
      const { schema } = limit as { schema: Json };
      expect(parameters.map(({ name }) => name)).toContain('cursor');
      expect(operation['responses']['200'].headers.Link.description).toContain('rel="next"');
      return [`${path} ${schema['default']} ${schema['maximum']}`];
    });
    expect(bounds.toSorted()).toEqual([
      '/admin/accounts 100 500',
      '/baseline-versions 1000 1000',
      '/baselines 1000 1000',
      '/code-host/installations 1000 1000',
      '/code-host/repos 1000 1000',
      '/events 100 1000',
      '/manual-runs 50 100',
      '/test-runs 20 100',
      '/test-runs/{id}/accessibility 1000 1000',
      '/test-runs/{id}/changes 1000 1000',
      '/test-runs/{id}/changes/{changeId}/variants 1000 1000',
      '/test-runs/{id}/comments 1000 1000',
      '/test-runs/{id}/logs 1000 1000',
      '/test-runs/{id}/results 10000 10000',
      '/test-runs/{id}/summary 10 10',
      '/test-runs/{id}/verdicts 1000 1000',
      '/test-suites 50 100',
      '/test-suites/{id}/access 1000 1000',
      '/test-suites/{id}/ignored-changes 1000 1000',
      '/test-suites/{id}/invitations 100 100',
      '/test-suites/{id}/pages 1000 1000',
      '/test-suites/{id}/pages/{pageId}/history 1000 1000',
      '/test-suites/{id}/tokens 100 100',
      '/tokens 100 100',
    ]);
  });

  it('takes the bodies that may be left out as optional', () => {
    const optional = operations().filter(({ operation }) => operation['requestBody']?.required === false);
    expect(optional.map(({ path }) => path)).toEqual([
      '/test-suites/{id}/follow',
      '/test-suites/{id}/run',
      '/test-runs/{id}/approve-visuals',
      '/test-runs/{id}/changes/{changeId}/approve',
    ]);
  });
});
