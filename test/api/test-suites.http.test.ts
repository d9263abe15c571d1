import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_CONFIG } from '../../src/suites/config/suite-config.ts';
import { startTestApi, type Account, type Answer, type TestApi } from '../support/api-client.ts';
import { newSuite } from '../support/world.ts';
import { runInFlight, share, worldOf } from './fixture.ts';

let api: TestApi;
let owner: Account;
beforeAll(async () => {
  api = await startTestApi();
  owner = await api.account('owner');
});
afterAll(async () => {
  await api.stop();
});

const create = (body: unknown, token: string | undefined = owner.token) =>
  api.request('POST', '/api/test-suites', { token, body });
const change = (id: string, body: unknown) =>
  api.request('PATCH', `/api/test-suites/${id}`, { token: owner.token, body });
const fieldsOf = (answer: Answer): string[] => answer.body.details.issues.map((issue: { path: string }) => issue.path);

describe('creating a suite', () => {
  it('takes a token', async () => {
    expect((await api.request('POST', '/api/test-suites', { body: {} })).status).toBe(401);
  });

  it('answers all of it, the defaults merged in, with the crawl IDLE and the caller as owner', async () => {
    const answer = await create({ name: ' Docs ', baseUrl: ' http://site.test/docs ', config: { maxPages: 7 } });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      name: 'Docs',
      baseUrl: 'http://site.test/docs',
      description: null,
      kind: 'SUITE',
      config: { ...DEFAULT_CONFIG, maxPages: 7 },
      userId: owner.user.id,
      isActive: true,
      codehost: null,
      crawl: { status: 'IDLE', lastCrawledAt: null, lastStats: null, error: null },
      owner: { id: owner.user.id, email: owner.user.email, name: 'owner', image: null },
      access: { role: 'ADMIN', isOwner: true, via: 'OWNER', team: null },
      shareCount: 0,
      testRuns: [],
      baselines: [],
    });
  });

  it.each([
    [{}, ['name', 'baseUrl']],
    [{ name: ' ', baseUrl: 'http://site.test' }, ['name']],
    [{ name: 'x', baseUrl: 'site.test' }, ['baseUrl']],
    [{ name: 'x', baseUrl: 'ftp://site.test' }, ['baseUrl']],
    [{ name: 'x', baseUrl: '/docs' }, ['baseUrl']],
    [{ name: 'x', baseUrl: 'http://user:secret@site.test' }, ['baseUrl']],
    [{ name: 'x', baseUrl: 'http://site.test', description: 5 }, ['description']],
  ])('%j names what is wrong', async (body, fields) => {
    const answer = await create(body);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, fields]);
  });

  it.each([
    [{ maxPages: 0 }, 'config.maxPages'],
    [{ maxPages: 10_001 }, 'config.maxPages'],
    [{ maxPages: 1.5 }, 'config.maxPages'],
    [{ maxDepth: 51 }, 'config.maxDepth'],
    [{ recrawlInterval: 'hourly' }, 'config.recrawlInterval'],
    [{ viewports: [] }, 'config.viewports'],
    [{ viewports: [{ name: 'a b', width: 800, height: 600 }] }, 'config.viewports.0.name'],
    [{ viewports: [{ name: 'a', width: 99, height: 600 }] }, 'config.viewports.0.width'],
    [{ viewports: [{ name: 'a', width: 800, height: 16_385 }] }, 'config.viewports.0.height'],
    [{ waitStrategy: 'never' }, 'config.waitStrategy'],
    [{ waitTime: 60_001 }, 'config.waitTime'],
    [{ fullPage: 'yes' }, 'config.fullPage'],
    [{ customCss: 'x'.repeat(65_537) }, 'config.customCss'],
    [{ threshold: 1.1 }, 'config.threshold'],
    [{ failureThreshold: -1 }, 'config.failureThreshold'],
    [{ screenshotConcurrency: 17 }, 'config.screenshotConcurrency'],
    [{ comparisonConcurrency: 0 }, 'config.comparisonConcurrency'],
    [{ crawlOptions: { timeout: 999 } }, 'config.crawlOptions.timeout'],
  ])('refuses a config of %j by the name of the field', async (config, field) => {
    const answer = await create({ name: 'x', baseUrl: 'http://site.test', config });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
  });

  it('refuses two viewports of one name', async () => {
    const viewport = { name: 'a', width: 800, height: 600 };
    const config = { viewports: [viewport, viewport] };
    expect(fieldsOf(await create({ name: 'x', baseUrl: 'http://site.test', config }))).toEqual(['config.viewports']);
  });

  it('refuses an address that must not be reached', async () => {
    const guarded = await startTestApi({ ALLOW_PRIVATE_TARGETS: 'false' });
    try {
      const { token } = await guarded.account();
      const body = { name: 'x', baseUrl: 'http://169.254.169.254/latest' };
      const answer = await guarded.request('POST', '/api/test-suites', { token, body });
      expect(answer).toMatchObject({ status: 422, body: { details: { code: 'target_not_allowed' } } });
    } finally {
      await guarded.stop();
    }
  });
});

describe('the list of suites', () => {
  it('holds what the caller has access to, by kind and scope, with runs and their count', async () => {
    const [ada, bob] = [await api.account('ada'), await api.account('bob')];
    const world = worldOf(api);
    const mine = await newSuite(world, ada.user, ['/']);
    const theirs = await newSuite(world, bob.user, ['/']);
    await newSuite(world, bob.user, ['/']);
    await share(api, theirs, bob, ada, 'VIEWER');
    const runId = await runInFlight(api, ada, mine);
    await api.request('POST', '/api/manual-runs', { token: ada.token, body: { url: 'http://site.test/one' } });

    const idsOf = async (query: string) => {
      const { body } = await api.request('GET', `/api/test-suites${query}`, { token: ada.token });
      return body.map((suite: { id: string }) => suite.id);
    };
    expect(await idsOf('')).toEqual([mine.id, theirs.id]);
    expect(await idsOf('?scope=ALL&kind=SUITE')).toEqual([mine.id, theirs.id]);
    expect(await idsOf('?scope=OWNED')).toEqual([mine.id]);
    expect(await idsOf('?scope=SHARED')).toEqual([theirs.id]);
    expect(await idsOf('?kind=MANUAL')).toHaveLength(1);
    expect(await idsOf('?kind=MANUAL&scope=SHARED')).toEqual([]);

    const { body } = await api.request('GET', '/api/test-suites', { token: ada.token });
    expect(body[0]).toMatchObject({ _count: { testRuns: 1 }, testRuns: [{ id: runId, status: 'PENDING' }] });
    expect(body[1]).toMatchObject({
      shareCount: 1,
      owner: { id: bob.user.id },
      access: { role: 'VIEWER', isOwner: false, via: 'USER_GRANT' },
    });
  });

  it.each(['kind=OTHER', 'scope=all', 'kind=SUITE&kind=MANUAL'])('refuses %s', async (query) => {
    expect((await api.request('GET', `/api/test-suites?${query}`, { token: owner.token })).status).toBe(400);
    expect((await api.request('GET', `/api/test-suites?${query}`)).status).toBe(401);
  });
});

describe('changing a suite', () => {
  it('leaves what is left out, clears what is null, and lays config over config', async () => {
    const { body: suite } = await create({
      name: 'Docs',
      baseUrl: 'http://site.test',
      description: 'ours',
      config: { maxPages: 7, crawlOptions: { timeout: 5000 } },
    });
    const renamed = await change(suite.id, { name: 'New' });
    expect(renamed.body).toMatchObject({ name: 'New', description: 'ours', config: { maxPages: 7 } });
    const cleared = await change(suite.id, {
      description: null,
      config: { maxDepth: 2, crawlOptions: { followSitemap: false } },
    });
    expect(cleared.body).toMatchObject({
      name: 'New',
      description: null,
      config: { maxPages: 7, maxDepth: 2, crawlOptions: { timeout: 5000, followSitemap: false } },
    });
    expect((await change(suite.id, {})).body).toMatchObject({ name: 'New', config: { maxPages: 7 } });
  });

  it('takes a long style sheet, whatever character is where the record of changes cuts it', async () => {
    const { body: suite } = await create({ name: 'Docs', baseUrl: 'http://site.test' });
    for (const before of [3998, 3999]) {
      const customCss = `${'x'.repeat(before)}😀 and more`;
      expect(await change(suite.id, { config: { customCss } })).toMatchObject({
        status: 200,
        body: { config: { customCss } },
      });
    }
  });

  it('drops fields that are not to be set', async () => {
    const { body: suite } = await create({ name: 'Docs', baseUrl: 'http://site.test' });
    const stranger = await api.account();
    const { status, body } = await change(suite.id, { userId: stranger.user.id, kind: 'MANUAL', id: stranger.user.id });
    expect([status, body.userId, body.kind, body.id]).toEqual([200, owner.user.id, 'SUITE', suite.id]);
  });

  it('changes nothing when one field is wrong', async () => {
    const { body: suite } = await create({ name: 'Docs', baseUrl: 'http://site.test' });
    const answer = await change(suite.id, { name: 'New', config: { maxPages: 0 } });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ['config.maxPages']]);
    const { body } = await api.request('GET', `/api/test-suites/${suite.id}`, { token: owner.token });
    expect(body.name).toBe('Docs');
  });

  it('links a repository only where registration is closed', async () => {
    const link = { owner: 'acme', repo: 'web', installationId: 7 };
    const { body: suite } = await create({ name: 'Docs', baseUrl: 'http://site.test' });
    expect((await change(suite.id, { codehost: link })).status).toBe(403);
    expect(fieldsOf(await change(suite.id, { codehost: { owner: 'acme' } }))).toEqual([
      'codehost.repo',
      'codehost.installationId',
    ]);
  });
});

describe('a suite that was deleted', () => {
  it('is gone with all that hangs on it', async () => {
    const suite = await newSuite(worldOf(api), owner.user, ['/']);
    const runId = await runInFlight(api, owner, suite);
    const path = `/api/test-suites/${suite.id}`;
    expect((await api.request('DELETE', path, { token: owner.token })).status).toBe(200);
    expect((await api.request('DELETE', path, { token: owner.token })).status).toBe(404);
    expect((await api.request('GET', path, { token: owner.token })).status).toBe(404);
    expect((await api.request('GET', `/api/test-runs/${runId}`, { token: owner.token })).status).toBe(404);
  });
});

describe('crawling a suite', () => {
  it('is queued once', async () => {
    const { body: suite } = await create({
      name: 'Docs',
      baseUrl: 'http://site.test',
      config: { recrawlInterval: 'off' },
    });
    const crawl = () => api.request('POST', `/api/test-suites/${suite.id}/crawl`, { token: owner.token });
    expect((await crawl()).status).toBe(202);
    expect(await crawl()).toMatchObject({ status: 409, body: { details: { code: 'crawl_queued' } } });
    const { body } = await api.request('GET', `/api/test-suites/${suite.id}/pages`, { token: owner.token });
    expect(body.crawl.status).toBe('QUEUED');
  });

  it('is refused while the suite is switched off', async () => {
    const { body: suite } = await create({ name: 'Docs', baseUrl: 'http://site.test' });
    const at = `/api/test-suites/${suite.id}`;
    await api.request('PATCH', at, { token: owner.token, body: { isActive: false } });
    const crawl = await api.request('POST', `${at}/crawl`, { token: owner.token });
    expect(crawl).toMatchObject({ status: 409, body: { details: { code: 'suite_not_active' } } });
    expect((await api.request('GET', `${at}/pages`, { token: owner.token })).body.crawl.status).toBe('IDLE');
  });
});
