import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { CaptureError } from '../../../src/capture/browser/browser.ts';
import type { WorkerContext } from '../../../src/context.ts';
import { createLogger } from '../../../src/logger.ts';
import { createNetwork } from '../../../src/net/create-network.ts';
import { giveUpLook, lookAtSite } from '../../../src/pages/look/look-at-site.ts';
import type { SiteLook } from '../../../src/pages/look/site-look.ts';
import { readLook, startLook } from '../../../src/pages/look/start-look.ts';
import { createTestDatabase } from '../../support/database.ts';
import { newViewer, worldOn } from '../../support/world.ts';
import { page, sitemapOf, startTestSite, type Route, type TestSite } from '../test-site.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);

const sites: TestSite[] = [];
const job = { signal: new AbortController().signal };

const database = await createTestDatabase();
const world = worldOn(database.db);
const network = createNetwork({ allowPrivateTargets: true, log: createLogger('silent') });
const capture = async () => Promise.reject(new CaptureError('The page has no picture here'));
const ctx = { ...world.ctx, network, browser: { ...world.ctx.browser, capture } };
const [viewer, other] = [await newViewer(world), await newViewer(world)];
afterEach(async () => {
  for (const site of sites.splice(0)) await site.close();
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

async function lookAt(baseUrl: string, on: WorkerContext = ctx): Promise<SiteLook> {
  const { id } = await startLook(ctx, viewer, { baseUrl, typed: { name: 'Typed' } });
  await lookAtSite(on, { lookId: id }, job);
  return readLook(ctx, viewer, id);
}

describe('a look at a site', () => {
  it('tells its title, icon, sitemap and first pages, and why there is no picture', async () => {
    const site = await open({});
    const icon = '<link rel="shortcut icon" href="/icon.png">';
    site.routes['/'] = page('Shop', ['/a', '/a#part', '/logo.png', 'https://elsewhere.test/'], icon);
    site.routes['/icon.png'] = { headers: { 'content-type': 'text/plain' }, body: PNG };
    site.routes['/sitemap.xml'] = sitemapOf(`${site.origin}/`, `${site.origin}/b`, 'https://elsewhere.test/c');
    const look = await lookAt(site.origin);
    expect(look).toMatchObject({
      status: 'DONE',
      picture: null,
      problem: 'The page has no picture here.',
      typed: { name: 'Typed' },
    });
    expect(look.facts).toEqual({
      address: site.origin,
      title: 'Shop',
      icon: `data:image/png;base64,${PNG.toString('base64')}`,
      sitemap: { addresses: 2, partial: false },
      pages: ['/', '/a', '/b'],
      moved: null,
      forbidden: false,
    });
  });

  it('tells of another host that the address leads to, and of a robots.txt that forbids crawling', async () => {
    const site = await open({ '/': page('There'), '/robots.txt': 'User-agent: *\nDisallow: /' });
    const elsewhere = site.origin.replace('127.0.0.1', 'localhost');
    const first = await open({ '/': { status: 301, headers: { location: `${elsewhere}/` } } });
    const { facts } = await lookAt(first.origin);
    expect(facts).toMatchObject({ title: 'There', moved: elsewhere, forbidden: true });
    expect(facts?.sitemap).toEqual({ addresses: 0, partial: false });
  });

  it.each<[string, Route, RegExp]>([
    ['an address that is not there', { status: 404 }, /404 Not Found.*Check the address/],
    [
      'basic authentication',
      { status: 401, headers: { 'www-authenticate': 'Basic' } },
      /behind basic authentication.*create the suite/,
    ],
    ['its own login', { status: 302, headers: { location: '/login' } }, /behind a login/],
    ['a file', { headers: { 'content-type': 'application/pdf' }, body: '%PDF' }, /application\/pdf, not an HTML page/],
    ['an endless redirect', { status: 302, headers: { location: '/' } }, /redirects endlessly/],
  ])('says in words that it met %s', async (_name, route, problem) => {
    const look = await lookAt((await open({ '/': route })).origin);
    expect(look).toMatchObject({ status: 'DONE', facts: null, picture: null, problem: expect.stringMatching(problem) });
  });

  it('reaches no private address where that is not allowed', async () => {
    const site = await open({ '/': page('Secret') });
    const network = createNetwork({ allowPrivateTargets: false, log: createLogger('silent') });
    const look = await lookAt(site.origin, { ...ctx, network });
    expect(look).toMatchObject({ facts: null, problem: expect.stringContaining('may only reach public addresses') });
    expect(site.requests).toEqual([]);
    await expect(startLook({ ...ctx, network }, viewer, { baseUrl: site.origin })).rejects.toThrow('public address');
    await expect(startLook(ctx, viewer, { baseUrl: 'ftp://site.test' })).rejects.toThrow('http(s)');
    await network.close();
  });

  it('is of one person, who has few of them, and ends also when it is given up', async () => {
    const site = await open({ '/': page('Home') });
    const first = await lookAt(site.origin);
    await expect(readLook(ctx, other, first.id)).rejects.toThrow('not found');
    expect((await startLook(ctx, viewer, { baseUrl: site.origin })).id).toBe(first.id);
    const { id } = await startLook(ctx, viewer, { baseUrl: `${site.origin}/again` });
    await giveUpLook(ctx, { lookId: id });
    expect((await readLook(ctx, viewer, id)).problem).toContain('still create the suite');
    const asked = site.requests.length;
    await lookAtSite(ctx, { lookId: id }, job);
    expect(site.requests).toHaveLength(asked);
    for (const more of ['/b', '/c', '/d']) await startLook(ctx, viewer, { baseUrl: site.origin + more });
    await expect(readLook(ctx, viewer, first.id)).rejects.toThrow('not found');
    expect(await database.db('site_looks').where({ user_id: viewer.id }).select('id')).toHaveLength(3);
  });
});
