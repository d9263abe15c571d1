import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import type { WorkerContext } from '../../../src/context.ts';
import { createLogger } from '../../../src/logger.ts';
import { createNetwork } from '../../../src/net/create-network.ts';
import { actOnPages, addPage } from '../../../src/pages/add-page.ts';
import { readCrawl } from '../../../src/pages/crawl/crawl-store.ts';
import { crawlSuite, giveUpCrawl } from '../../../src/pages/crawl/crawl-suite.ts';
import { createCrawledSuite, queueCrawl, queueDueCrawls } from '../../../src/pages/crawl/queue-crawl.ts';
import { saveChanges } from '../../../src/pages/site-page-store.ts';
import { startFirstRun } from '../../../src/runs/start-due-runs.ts';
import type { SuiteConfigInput } from '../../../src/suites/config/suite-config.ts';
import { getSuiteFor } from '../../../src/suites/read-suite.ts';
import { replaceSiteAccess } from '../../../src/suites/site-access/change-site-access.ts';
import { createSinglePageSuite, createSuite } from '../../../src/suites/suite-life.ts';
import { findSuite } from '../../../src/suites/suite-store.ts';
import type { Suite } from '../../../src/suites/suite.ts';
import { startRecorder } from '../../capture/recorder.ts';
import { createTestDatabase } from '../../support/database.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { listPages } from '../../support/requests.ts';
import { newViewer, worldOn, type OwnSuite } from '../../support/world.ts';
import { page, startTestSite, type Route, type TestSite } from '../test-site.ts';

let now = new Date('2026-03-01T00:00:00Z');
const sites: TestSite[] = [];

const database = await createTestDatabase();
const world = worldOn(database.db);
const network = createNetwork({ allowPrivateTargets: true, log: createLogger('silent') });
const ctx = { ...world.ctx, network, clock: { now: () => now } };
const viewer = await newViewer(world);

afterEach(async () => {
  for (const site of sites.splice(0)) await site.close();
  await database.db('test_suites').delete();
  await database.db.raw('delete from graphile_worker._private_jobs');
});

afterAll(async () => {
  await ctx.network.close();
  await database.drop();
});

async function open(routes: Record<string, Route>): Promise<TestSite> {
  const site = await startTestSite(routes);
  sites.push(site);
  return site;
}

async function again(suite: { id: string }): Promise<OwnSuite> {
  return (await getSuiteFor(ctx, viewer, suite.id, 'suite.read')) as OwnSuite;
}

const suiteAt = async (baseUrl: string, config: SuiteConfigInput = {}): Promise<OwnSuite> =>
  again(await createSuite(ctx, viewer, { name: 'Site', baseUrl, config }));

const waitingFirstRuns = async (): Promise<number> => {
  const { rows } = await database.db.raw<{ rows: { jobs: number }[] }>(
    "select count(*) as jobs from graphile_worker.jobs where task_identifier = 'start-first-run'",
  );
  return rows[0]?.jobs ?? 0;
};

const crawlJobs = async (): Promise<number> => {
  const { rows } = await database.db.raw<{ rows: { jobs: number }[] }>(
    'select count(*) as jobs from graphile_worker.jobs',
  );
  return rows[0]?.jobs ?? 0;
};

/** Of a worker that keeps running. */
const JOB = { signal: new AbortController().signal };

/** Queues a crawl and runs its job. */
async function crawl(suite: OwnSuite): Promise<OwnSuite> {
  await queueCrawl(ctx, await again(suite));
  await crawlSuite(ctx, { suiteId: suite.id }, JOB);
  return again(suite);
}

const statuses = async (suite: OwnSuite): Promise<Record<string, string>> => {
  const { pages } = await listPages(ctx, await again(suite));
  return Object.fromEntries(pages.map(({ path, status }) => [path, status]));
};

describe('a crawl', () => {
  it('takes pages from NEW to ACTIVE, to REMOVED and back', async () => {
    const site = await open({ '/': page('Home', ['/a', '/b']), '/a': page('A'), '/b': page('B') });
    const suite = await suiteAt(site.origin);

    now = new Date('2026-03-01T00:00:00Z');
    expect((await crawl(suite)).crawl).toEqual({
      status: 'COMPLETED',
      lastCrawledAt: now,
      lastStats: { pagesFound: 3, pagesAdded: 3, pagesRemoved: 0 },
      error: null,
    });
    expect(await statuses(suite)).toEqual({ '/': 'NEW', '/a': 'NEW', '/b': 'NEW' });

    const first = now;
    now = new Date('2026-03-02T00:00:00Z');
    site.routes['/'] = page('Home', ['/a', '/c']);
    site.routes['/c'] = page('C');
    delete site.routes['/b'];
    expect((await crawl(suite)).crawl.lastStats).toEqual({ pagesFound: 3, pagesAdded: 1, pagesRemoved: 1 });
    expect(await statuses(suite)).toEqual({ '/': 'ACTIVE', '/a': 'ACTIVE', '/b': 'REMOVED', '/c': 'NEW' });
    const { pages } = await listPages(ctx, await again(suite));
    expect(pages.find(({ path }) => path === '/b')).toMatchObject({ removedAt: now, lastSeenAt: first, title: 'B' });
    expect(pages.find(({ path }) => path === '/a')).toMatchObject({ firstSeenAt: first, lastSeenAt: now });

    site.routes['/'] = page('Home', ['/a', '/b', '/c']);
    site.routes['/b'] = page('B, again');
    expect((await crawl(suite)).crawl.lastStats).toEqual({ pagesFound: 4, pagesAdded: 0, pagesRemoved: 0 });
    const back = await listPages(ctx, await again(suite));
    expect(back.pages.find(({ path }) => path === '/b')).toMatchObject({
      status: 'ACTIVE',
      removedAt: null,
      firstSeenAt: first,
      title: 'B, again',
    });
  });

  it('removes what is no longer linked while another page does not answer, but not what lies behind that one', async () => {
    const site = await open({
      '/': page('Home', ['/hub', '/unlinked', '/gone']),
      '/hub': page('Hub', ['/behind']),
      '/behind': page('Behind', ['/deeper']),
      '/deeper': page('Deeper'),
      '/unlinked': page('Unlinked'),
      '/gone': page('Gone'),
    });
    const suite = await suiteAt(site.origin);
    await crawl(suite);
    site.routes['/'] = page('Home', ['/hub', '/gone']);
    site.routes['/hub'] = { status: 500 };
    delete site.routes['/gone'];
    expect((await crawl(suite)).crawl.lastStats).toEqual({ pagesFound: 1, pagesAdded: 0, pagesRemoved: 2 });
    expect(await statuses(suite)).toEqual({
      '/': 'ACTIVE',
      '/behind': 'NEW',
      '/deeper': 'NEW',
      '/gone': 'REMOVED',
      '/hub': 'NEW',
      '/unlinked': 'REMOVED',
    });
  });

  it('keeps pages that it could not look at: on another host now, closed to it, or one link of too many', async () => {
    const elsewhere = { status: 302, headers: { location: 'https://sso.example.test/login' } };
    const links = Array.from({ length: 150 }, (_, index) => `/p${index}`);
    const routes = Object.fromEntries(links.map((path): [string, Route] => [path, elsewhere]));
    const pages = { '/app': page('App'), '/closed': page('Closed'), '/last': page('Last') };
    const site = await open({ ...routes, ...pages, '/': page('Home', Object.keys(pages)) });
    const suite = await suiteAt(site.origin, { maxPages: 5 });
    await crawl(suite);
    site.routes['/app'] = elsewhere;
    site.routes['/robots.txt'] = {
      headers: { 'content-type': 'text/plain' },
      body: 'User-agent: *\nDisallow: /closed',
    };
    await crawl(suite);
    expect(await statuses(suite)).toEqual({ '/': 'ACTIVE', '/app': 'NEW', '/closed': 'NEW', '/last': 'ACTIVE' });
    Object.assign(site.routes, { '/app': page('App'), '/': page('Home', ['/app', '/closed', ...links, '/last']) });
    delete site.routes['/robots.txt'];
    expect((await crawl(suite)).crawl.lastStats).toMatchObject({ pagesRemoved: 0 });
  });

  it('keeps pages that lead to the login of the site now', async () => {
    const site = await open({ '/': page('Home', ['/app', '/old']), '/app': page('App'), '/old': page('Old') });
    const suite = await suiteAt(site.origin);
    await crawl(suite);
    site.routes['/app'] = { status: 302, headers: { location: '/login?next=/app' } };
    site.routes['/login?next=/app'] = page('Log in');
    site.routes['/old'] = { status: 301, headers: { location: '/' } };
    await crawl(suite);
    expect(await statuses(suite)).toMatchObject({ '/': 'ACTIVE', '/app': 'NEW', '/old': 'REMOVED' });
  });

  it('that fails says why and removes nothing; the next one can succeed', async () => {
    const site = await open({ '/': page('Home', ['/a']), '/a': page('A') });
    const suite = await suiteAt(site.origin);
    await crawl(suite);
    const { routes } = site;
    site.routes = {};
    const failed = await crawl(suite);
    expect(failed.crawl).toMatchObject({
      status: 'FAILED',
      error: `No page was found at ${site.origin}: it returned 404 Not Found`,
      lastStats: { pagesFound: 2, pagesAdded: 2, pagesRemoved: 0 },
    });
    expect(await statuses(suite)).toEqual({ '/': 'NEW', '/a': 'NEW' });
    site.routes = routes;
    expect((await crawl(suite)).crawl).toMatchObject({ status: 'COMPLETED', error: null });
  });

  it('that left something out says what, whatever the site wrote', async () => {
    const site = await open({ '/': page('Home', ['/a', '/b']), '/a': page('A'), '/b': page('B') });
    const part = `${site.origin}/part\u0000.xml`;
    site.routes['/sitemap.xml'] = { body: `<sitemapindex><sitemap><loc>${part}</loc></sitemap></sitemapindex>` };
    site.routes['/part%00.xml'] = { status: 403 };
    const suite = await suiteAt(site.origin, { maxPages: 2 });
    expect((await crawl(suite)).crawl.lastStats?.warnings).toEqual([
      `The sitemap ${site.origin}/part .xml could not be read: it returned 403 Forbidden`,
      'The limit of 2 pages was reached',
    ]);
  });

  it('keeps a page added by hand until that page itself is gone', async () => {
    const site = await open({ '/': page('Home'), '/alone': page('Alone') });
    const suite = await suiteAt(site.origin);
    await addPage(ctx, suite, { path: '/alone' });
    await crawl(suite);
    expect(await statuses(suite)).toEqual({ '/': 'NEW', '/alone': 'ACTIVE' });
    delete site.routes['/alone'];
    await crawl(suite);
    expect(await statuses(suite)).toEqual({ '/': 'ACTIVE', '/alone': 'REMOVED' });
  });

  it('takes up thousands of pages', async () => {
    const links = Array.from({ length: 3000 }, (_, index) => `/p${index}`);
    const routes: Record<string, Route> = { '/': page('Home', links) };
    for (const link of links) routes[link] = page(`Title ${link}`);
    const suite = await suiteAt((await open(routes)).origin, { maxPages: 10_000 });
    expect((await crawl(suite)).crawl.lastStats).toEqual({ pagesFound: 3001, pagesAdded: 3001, pagesRemoved: 0 });
    expect((await crawl(suite)).crawl.lastStats).toEqual({ pagesFound: 3001, pagesAdded: 0, pagesRemoved: 0 });
  });

  it('removes more pages than a statement may have parameters', async () => {
    const suite = await suiteAt('https://site.example');
    const { id } = await addPage(ctx, suite, { path: '/gone' });
    const removed = [...Array.from({ length: 70_000 }, () => randomUUID()), id];
    expect(await saveChanges(database.db, suite, { added: [], seen: [], removed }, now)).toEqual(['/gone']);
    expect(await statuses(suite)).toEqual({ '/gone': 'REMOVED' });
  });

  it('of a suite that moved meanwhile is thrown away and queued anew', async () => {
    const site = await open({ '/': page('Home') });
    const suite = await suiteAt(site.origin);
    site.routes['/'] = () => page('Home', ['/a']);
    site.routes['/a'] = page('A');
    await queueCrawl(ctx, suite);
    await database.db('test_suites').where({ id: suite.id }).update({ crawl_status: 'CRAWLING' });
    const fetch: WorkerContext['network']['fetch'] = async (request) => {
      await database
        .db('test_suites')
        .where({ id: suite.id })
        .update({ base_url: `${site.origin}/a` });
      return ctx.network.fetch(request);
    };
    await crawlSuite({ ...ctx, network: { ...ctx.network, fetch } }, { suiteId: suite.id }, JOB);
    expect((await again(suite)).crawl.status).toBe('QUEUED');
    expect(await statuses(suite)).toEqual({});
    expect(await crawlJobs()).toBe(2);
  });
});

describe('a crawl of a suite that tracks automatically', () => {
  const tracked = async (suite: OwnSuite): Promise<string[]> => {
    const { pages } = await listPages(ctx, await again(suite));
    return pages.filter((each) => each.tracked).map(({ path }) => path);
  };
  const siteRuns = async (suite: OwnSuite) =>
    database.db('test_runs').where({ test_suite_id: suite.id }).select('run_type', 'total_results', 'started_by');

  it('tracks what it finds, and nothing that a person untracked', async () => {
    const site = await open({ '/': page('Home', ['/a', '/b']), '/a': page('A'), '/b': page('B'), '/c': page('C') });
    const suite = await suiteAt(site.origin, { autoTrack: { paths: ['**', '!/b'] } });
    await crawl(suite);
    expect(await tracked(suite)).toEqual(['/', '/a']);
    expect(await readCrawl(ctx.db, await again(suite))).toEqual({
      progress: null,
      tracking: { tracked: 2, beyondLimit: 0 },
    });

    const { pages } = await listPages(ctx, await again(suite));
    const pageIds = pages.filter(({ path }) => path === '/a').map(({ id }) => id);
    await actOnPages(ctx, await again(suite), { action: 'untrack', on: pageIds });
    site.routes['/'] = page('Home', ['/a', '/b', '/c']);
    await crawl(suite);
    expect(await tracked(suite)).toEqual(['/', '/c']);
    expect((await again(suite)).crawl.lastStats).toEqual({ pagesFound: 4, pagesAdded: 1, pagesRemoved: 0 });
    await actOnPages(ctx, await again(suite), { action: 'track', on: pageIds });
    expect(await tracked(suite)).toEqual(['/', '/a', '/c']);
  });

  it('stops at the limit, nearest pages first, and says how many are left', async () => {
    const links = ['/a', '/b', '/c'];
    const site = await open({
      '/': page('Home', links),
      ...Object.fromEntries(links.map((path) => [path, page(path)])),
    });
    const suite = await suiteAt(site.origin, { autoTrack: { paths: ['**'], limit: 2 } });
    await crawl(suite);
    expect(await tracked(suite)).toEqual(['/', '/a']);
    expect((await readCrawl(ctx.db, await again(suite))).tracking).toEqual({ tracked: 2, beyondLimit: 2 });
  });

  it('is followed by the first run when it is the first that completes, once', async () => {
    const site = await open({});
    const suite = await suiteAt(site.origin, { autoTrack: 'all' });
    await crawl(suite);
    expect(await waitingFirstRuns()).toBe(0);
    site.routes['/'] = page('Home');
    await crawl(suite);
    expect(await waitingFirstRuns()).toBe(1);
    for (const _delivery of [1, 2]) await startFirstRun(ctx, { suiteId: suite.id });
    expect(await siteRuns(suite)).toEqual([{ runType: 'MANUAL', totalResults: 2, startedBy: viewer.id }]);
    await database.db('test_runs').delete();
    await database.db.raw('delete from graphile_worker._private_jobs');
    await crawl(suite);
    expect(await waitingFirstRuns()).toBe(0);
  });

  it('gets no first run when it tracks nothing, or when it is to track nothing', async () => {
    const site = await open({ '/': page('Home') });
    const suite = await suiteAt(site.origin, { autoTrack: { paths: ['/none'] } });
    await crawl(suite);
    await startFirstRun(ctx, { suiteId: suite.id });
    await crawl(await suiteAt(site.origin));
    expect(await waitingFirstRuns()).toBe(1);
    expect(await siteRuns(suite)).toEqual([]);
  });

  it('is created and crawled in one step', async () => {
    const site = await open({ '/': page('Home') });
    const input = { name: 'Site', baseUrl: site.origin, config: { recrawlInterval: 'off', autoTrack: 'all' } } as const;
    const suite = await createCrawledSuite(ctx, viewer, input);
    expect(suite.crawl.status).toBe('QUEUED');
    await crawlSuite(ctx, { suiteId: suite.id }, JOB);
    expect((await again(suite)).crawl.status).toBe('COMPLETED');
    await expect(createCrawledSuite(ctx, viewer, { ...input, baseUrl: 'ftp://no' })).rejects.toThrow('http');
  });

  it('tells what it has found while it runs', async () => {
    const links = ['/a', '/b', '/c', '/d', '/e', '/f'];
    const site = await open({
      '/': page('Home', links),
      ...Object.fromEntries(links.map((path) => [path, page(path)])),
    });
    const suite = await suiteAt(site.origin);
    const seen: unknown[] = [];
    let time = 0;
    const elapsed = jest.spyOn(performance, 'now').mockImplementation(() => (time += 2000));
    const fetch: WorkerContext['network']['fetch'] = async (request) => {
      seen.push((await readCrawl(ctx.db, await again(suite))).progress);
      return ctx.network.fetch(request);
    };
    await queueCrawl(ctx, suite);
    await crawlSuite({ ...ctx, network: { ...ctx.network, fetch } }, { suiteId: suite.id }, JOB);
    elapsed.mockRestore();
    expect(seen).toContainEqual({ pagesFound: 0, lastPages: [] });
    expect(seen).toContainEqual(expect.objectContaining({ pagesFound: 1, lastPages: [{ path: '/', title: 'Home' }] }));
    expect((await readCrawl(ctx.db, await again(suite))).progress).toBeNull();
  });
});

describe('a page that could not be rendered', () => {
  it('is a page none the less, and the log says why', async () => {
    const site = await open({ '/': '<!doctype html><title>App</title><script src="/app.js"></script>' });
    const suite = await suiteAt(site.origin);
    await queueCrawl(ctx, suite);
    const log = memoryLog();
    const renderHtml = async () => Promise.reject(new Error('the browser is gone'));
    await crawlSuite({ ...ctx, log: log.logger, browser: { ...ctx.browser, renderHtml } }, { suiteId: suite.id }, JOB);
    expect(await statuses(suite)).toEqual({ '/': 'NEW' });
    expect(log.lines()).toEqual([{ level: 'warn', text: expect.stringMatching(/not be rendered.*browser is gone/) }]);
  });

  it('takes away no page that only its links lead to', async () => {
    const shell = '<!doctype html><title>App</title><script src="/app.js"></script>';
    const site = await open({ '/': shell, '/a': page('A', ['/']) });
    const suite = await suiteAt(site.origin);
    const crawlWith = async (renderHtml: WorkerContext['browser']['renderHtml']) => {
      await queueCrawl(ctx, suite);
      await crawlSuite({ ...ctx, browser: { ...ctx.browser, renderHtml } }, { suiteId: suite.id }, JOB);
      return statuses(suite);
    };
    expect(await crawlWith(async (url) => ({ url, html: page('Home', ['/a']) }))).toEqual({ '/': 'NEW', '/a': 'NEW' });
    const failing = async () => Promise.reject(new Error('the browser is gone'));
    expect(await crawlWith(failing)).toEqual({ '/': 'ACTIVE', '/a': 'NEW' });
  });
});

describe('a home page without links', () => {
  it('takes away only what is gone, because it may stand in for all pages for a while', async () => {
    const down = page('Back soon');
    const routes: Parameters<typeof open>[0] = {
      '/': page('Home', ['/a', '/gone']),
      '/a': page('A'),
      '/gone': page('Gone'),
    };
    const site = await open(routes);
    const suite = await crawl(await suiteAt(site.origin));
    delete routes['/gone'];
    Object.assign(routes, { '/': down, '/a': down });
    await crawl(suite);
    expect(await statuses(suite)).toEqual({ '/': 'ACTIVE', '/a': 'NEW', '/gone': 'REMOVED' });
  });
});

describe('the job of a crawl', () => {
  it('does nothing when delivered again after it ended', async () => {
    const site = await open({ '/': page('Home') });
    const suite = await crawl(await suiteAt(site.origin));
    const asked = site.requests.length;
    await crawlSuite(ctx, { suiteId: suite.id }, JOB);
    expect(site.requests).toHaveLength(asked);
    expect(await again(suite)).toEqual(suite);
  });

  it('finishes what a worker that was killed left CRAWLING', async () => {
    const suite = await suiteAt((await open({ '/': page('Home') })).origin);
    await queueCrawl(ctx, suite);
    await database.db('test_suites').where({ id: suite.id }).update({ crawl_status: 'CRAWLING' });
    await crawlSuite(ctx, { suiteId: suite.id }, JOB);
    expect((await again(suite)).crawl).toMatchObject({ status: 'COMPLETED', lastStats: { pagesAdded: 1 } });
  });

  it('counts once when it runs twice at the same time', async () => {
    const suite = await suiteAt((await open({ '/': page('Home', ['/a']), '/a': page('A') })).origin);
    await queueCrawl(ctx, suite);
    await Promise.all([crawlSuite(ctx, { suiteId: suite.id }, JOB), crawlSuite(ctx, { suiteId: suite.id }, JOB)]);
    expect((await again(suite)).crawl).toMatchObject({ status: 'COMPLETED', lastStats: { pagesAdded: 2 } });
    expect(await statuses(suite)).toEqual({ '/': 'NEW', '/a': 'NEW' });
  });

  it('of a suite that is deleted ends quietly, before or meanwhile', async () => {
    const suite = await suiteAt((await open({ '/': page('Home') })).origin);
    await queueCrawl(ctx, suite);
    const fetch: WorkerContext['network']['fetch'] = async (request) => {
      await database.db('test_suites').where({ id: suite.id }).delete();
      return ctx.network.fetch(request);
    };
    await crawlSuite({ ...ctx, network: { ...ctx.network, fetch } }, { suiteId: suite.id }, JOB);
    await crawlSuite(ctx, { suiteId: suite.id }, JOB);
    expect(await findSuite(ctx.db, suite.id)).toBeNull();
  });

  it('of a suite that was switched off meanwhile asks nothing of the site, and waits until it is switched on', async () => {
    const site = await open({ '/': page('Home') });
    const suite = await suiteAt(site.origin);
    const isActive = (is_active: boolean) => database.db('test_suites').where({ id: suite.id }).update({ is_active });
    await queueCrawl(ctx, suite);
    await isActive(false);
    await crawlSuite(ctx, { suiteId: suite.id }, JOB);
    expect(site.requests).toEqual([]);
    expect((await again(suite)).crawl).toMatchObject({ status: 'IDLE', lastCrawledAt: null });
    await isActive(true);
    await queueCrawl(ctx, await again(suite));
    await crawlSuite(ctx, { suiteId: suite.id }, JOB);
    expect((await again(suite)).crawl).toMatchObject({ status: 'COMPLETED', lastStats: { pagesAdded: 1 } });
    await queueCrawl(ctx, await again(suite));
    await giveUpCrawl(ctx, { suiteId: suite.id });
    const { crawl: failed } = await again(suite);
    await queueCrawl(ctx, await again(suite));
    expect((await again(suite)).crawl).toMatchObject({ status: 'QUEUED', error: null });
    await isActive(false);
    await crawlSuite(ctx, { suiteId: suite.id }, JOB);
    expect((await again(suite)).crawl).toEqual(failed);
  });

  it('is given back when its worker stops, and given up after the last attempt', async () => {
    const suite = await suiteAt((await open({ '/': page('Home') })).origin);
    await queueCrawl(ctx, suite);
    const job = { signal: AbortSignal.abort(new Error('The worker stops')) };
    await expect(crawlSuite(ctx, { suiteId: suite.id }, job)).rejects.toThrow('The worker stops');
    expect((await again(suite)).crawl.status).toBe('CRAWLING');
    await giveUpCrawl(ctx, { suiteId: suite.id });
    expect((await again(suite)).crawl).toMatchObject({ status: 'FAILED', error: 'The crawl failed on every attempt' });
  });
});

describe('queueCrawl', () => {
  it('queues one crawl at a time, however many ask', async () => {
    const suite = await suiteAt('http://site.test');
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => queueCrawl(ctx, suite)));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await crawlJobs()).toBe(1);
    expect((await again(suite)).crawl.status).toBe('QUEUED');
    await expect(queueCrawl(ctx, suite)).rejects.toMatchObject({ kind: 'conflict', details: { code: 'crawl_queued' } });
  });

  it('refuses a single page', async () => {
    const { id } = await createSinglePageSuite(database.db, viewer, { name: 'One page', origin: 'http://site.test' });
    await expect(queueCrawl(ctx, await again({ id }))).rejects.toMatchObject({ kind: 'conflict' });
  });
});

describe('queueDueCrawls', () => {
  const crawledAt = (suite: Suite, at: Date): Promise<number> =>
    database.db('test_suites').where({ id: suite.id }).update({ crawl_status: 'COMPLETED', last_crawled_at: at });
  const statusOf = async (suite: OwnSuite): Promise<string> => (await again(suite)).crawl.status;
  const madeAWhileAgo = (): Promise<number> =>
    database.db('test_suites').update({ created_at: database.db.raw("created_at - interval '1 minute'") });

  it('queues each suite that was never crawled once, over all hosts', async () => {
    const suites = await Promise.all(Array.from({ length: 20 }, (_, index) => suiteAt(`http://site${index}.test`)));
    await madeAWhileAgo();
    await Promise.all(Array.from({ length: 5 }, () => queueDueCrawls(ctx)));
    expect(await crawlJobs()).toBe(20);
    expect(new Set(await Promise.all(suites.map(statusOf)))).toEqual(new Set(['QUEUED']));
  });

  it('leaves a suite alone while it is being made', async () => {
    const suite = await suiteAt('http://site.test');
    await queueDueCrawls(ctx);
    await expect(queueCrawl(ctx, suite)).resolves.toBeUndefined();
  });

  it('goes by the interval of each suite', async () => {
    now = new Date('2026-03-10T00:00:00Z');
    const hoursAgo = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000);
    const cases: [SuiteConfigInput, number, string][] = [
      [{}, 23, 'COMPLETED'],
      [{}, 24, 'QUEUED'],
      [{ recrawlInterval: '6h' }, 5, 'COMPLETED'],
      [{ recrawlInterval: '6h' }, 7, 'QUEUED'],
      [{ recrawlInterval: '12h' }, 11, 'COMPLETED'],
      [{ recrawlInterval: '12h' }, 12, 'QUEUED'],
      [{ recrawlInterval: 'weekly' }, 160, 'COMPLETED'],
      [{ recrawlInterval: 'weekly' }, 168, 'QUEUED'],
      [{ recrawlInterval: 'off' }, 9999, 'COMPLETED'],
    ];
    const suites = await Promise.all(cases.map(([config]) => suiteAt('http://site.test', config)));
    for (const [index, suite] of suites.entries()) await crawledAt(suite, hoursAgo(cases[index]?.[1] ?? 0));
    await queueDueCrawls(ctx);
    expect(await Promise.all(suites.map(statusOf))).toEqual(cases.map(([, , status]) => status));
  });

  it('leaves out what is off, not active, a single page, or queued already', async () => {
    const off = await suiteAt('http://off.test', { recrawlInterval: 'off' });
    const idle = await suiteAt('http://idle.test');
    await database.db('test_suites').where({ id: idle.id }).update({ is_active: false });
    await createSinglePageSuite(database.db, viewer, { name: 'One page', origin: 'http://bucket.test' });
    const queued = await suiteAt('http://queued.test');
    await queueCrawl(ctx, queued);
    await madeAWhileAgo();
    await queueDueCrawls(ctx);
    expect(await crawlJobs()).toBe(1);
    expect([await statusOf(off), await statusOf(idle)]).toEqual(['IDLE', 'IDLE']);
  });
});

describe('a crawl of a site behind a wall', () => {
  const SECRET = 'swordfish';
  const guarded =
    (body: string): Route =>
    ({ headers }) =>
      headers['x-token'] === SECRET
        ? body
        : { status: 401, headers: { 'www-authenticate': 'Basic realm="Staff"' }, body: 'no' };

  it('names the wall and the setting that passes it, and passes it with that, which goes nowhere else', async () => {
    const third = await startRecorder();
    const elsewhere = `http://127.0.0.1:${third.port}`;
    const site = await open({
      '/': guarded(page('Home', ['/a', '/away', `${elsewhere}/direct`])),
      '/a': guarded(page('A')),
      '/away': { status: 302, headers: { location: `${elsewhere}/redirected` } },
      '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: `Sitemap: ${elsewhere}/sitemap.xml` },
    });
    const suite = await suiteAt(site.origin);
    const { crawl: failed } = await crawl(suite);
    expect(failed.error).toContain('is behind basic authentication. To pass it, set “Basic authentication”');
    const admin = await getSuiteFor(ctx, viewer, suite.id, 'suite.access');
    await replaceSiteAccess(ctx, admin, { headers: [{ name: 'X-Token', value: SECRET }] });
    expect((await crawl(suite)).crawl).toMatchObject({ status: 'COMPLETED', error: null });
    expect(Object.keys(await statuses(suite)).toSorted()).toEqual(['/', '/a']);
    expect(third.got.filter((text) => text.includes(SECRET))).toEqual([]);
    await third.close();
  });

  it.each<[string, Route]>([
    ['at once', { status: 302, headers: { location: '/users/sign_in?next=/' } }],
    ['by the page before it', { status: 302, headers: { location: '/home' } }],
  ])('says that a site shows only its own login, told %s, and keeps its pages', async (_, home) => {
    const site = await open({ '/': page('Home', ['/a', '/b']), '/a': page('A'), '/b': page('B') });
    const suite = await suiteAt(site.origin);
    await crawl(suite);
    const toLogin = { status: 303, headers: { location: '/users/sign_in' } };
    Object.assign(site.routes, { '/': home, '/home': toLogin, '/a': toLogin, '/b': toLogin });
    Object.assign(site.routes, { '/users/sign_in': page('Sign in', ['/users/sign_up']), '/users/sign_up': page('Up') });
    site.routes['/users/sign_in?next=/'] = page('Sign in');
    const { crawl: failed } = await crawl(suite);
    expect(failed.status).toBe('FAILED');
    expect(failed.error).toContain(`${site.origin} leads to /users/sign_in, which looks like a login page`);
    expect(failed.error).toContain('is behind a login. To pass it, set “Form login” or “Storage state”');
    expect(await statuses(suite)).toEqual({ '/': 'NEW', '/a': 'NEW', '/b': 'NEW' });
  });

  it('knows the login that the suite names, also while nothing may be sent to the site', async () => {
    const site = await open({
      '/': page('Home', ['/a', '/members']),
      '/a': page('A'),
      '/members': page('Members', ['/members/b']),
      '/members/b': page('B'),
    });
    const suite = await suiteAt(site.origin);
    await crawl(suite);
    const admin = await getSuiteFor(ctx, viewer, suite.id, 'suite.access');
    const fields = [{ selector: '#password', value: SECRET }];
    const login = { path: '/öffnen', fields, submit: null, success: { path: '/' } };
    await replaceSiteAccess(ctx, admin, { login });
    await database.db('site_access').where({ test_suite_id: suite.id }).update({ origin: 'https://before.test' });

    const toLogin = { status: 302, headers: { location: '/%C3%B6ffnen?next=1' } };
    Object.assign(site.routes, { '/members': toLogin, '/members/b': toLogin });
    Object.assign(site.routes, { '/%C3%B6ffnen?next=1': page('Anmelden', ['/imprint']), '/imprint': page('Imprint') });
    await crawl(suite);
    expect(await statuses(suite)).toMatchObject({ '/': 'ACTIVE', '/members': 'NEW', '/members/b': 'NEW' });

    Object.assign(site.routes, { '/': toLogin, '/a': toLogin });
    const { crawl: failed } = await crawl(suite);
    expect(failed.status).toBe('FAILED');
    expect(failed.error).toContain(`${site.origin} leads to /%C3%B6ffnen, which looks like a login page`);
    expect(failed.error).toContain('The suite’s URL has changed since site access was set up');
    expect(await statuses(suite)).toMatchObject({ '/': 'ACTIVE', '/a': 'ACTIVE', '/members': 'NEW' });
  });

  it('finds the pages of a suite whose address is a login page, and those beside a login', async () => {
    const toLogin = { status: 302, headers: { location: '/login' } };
    const site = await open({ '/': page('Home', ['/account']), '/account': toLogin, '/login': page('In', ['/join']) });
    site.routes['/join'] = page('Join');
    expect((await crawl(await suiteAt(`${site.origin}/login`))).crawl.lastStats?.pagesFound).toBe(2);
    expect((await crawl(await suiteAt(site.origin))).crawl).toMatchObject({ status: 'COMPLETED', error: null });
  });
});
