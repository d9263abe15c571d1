import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '../../../src/logger.ts';
import { createNetwork } from '../../../src/net/create-network.ts';
import { discoverSite } from '../../../src/pages/crawl/discover-site.ts';
import {
  CrawlCancelled,
  type CrawlOptions,
  type DiscoverInput,
  type DiscoverTools,
  type Discovery,
} from '../../../src/pages/crawl/discovery.ts';
import { page, sitemapOf, startTestSite, type Route, type TestSite } from '../test-site.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const OPTIONS: CrawlOptions = { followSitemap: true, respectRobots: true, userAgent: 'Pixelgate/1', timeout: 2000 };

type Overrides = Partial<Omit<DiscoverInput, 'crawlOptions'>> & { crawlOptions?: Partial<CrawlOptions> };

async function open(routes: Record<string, Route>): Promise<TestSite> {
  const site = await startTestSite(routes);
  closers.push(() => site.close());
  return site;
}

async function crawl(site: TestSite, input: Overrides = {}, tools: Partial<DiscoverTools> = {}): Promise<Discovery> {
  const network = createNetwork({ allowPrivateTargets: true, log: createLogger('silent') });
  closers.push(() => network.close());
  const { crawlOptions, ...rest } = input;
  return discoverSite(
    {
      baseUrl: site.origin,
      maxPages: 100,
      maxDepth: 5,
      extraPaths: [],
      knownPaths: [],
      ...rest,
      crawlOptions: { ...OPTIONS, ...crawlOptions },
    },
    {
      fetch: network.fetch,
      render: async (url) => {
        throw new Error(`${url} should not be rendered`);
      },
      wait: async () => {},
      ...tools,
    },
  );
}

const pathsOf = (discovery: Discovery): string[] => discovery.pages.map(({ path }) => path);

const discover = async (routes: Record<string, Route>, input: Overrides = {}): Promise<Discovery> =>
  crawl(await open(routes), input);

describe('links', () => {
  it("are followed on the suite's own host, with titles, in the order of discovery", async () => {
    const site = await open({
      '/': page('Home &amp; more', ['/a', 'b?x=1&y=2#part', 'mailto:a@b.c', 'javascript:void(0)', 'tel:1', '#top']),
      '/a': page(' A\n  page ', ['/c', 'http://other.test/', '//www.other.test/x', '/']),
      '/b?x=1&y=2': page('B', ['/c', '/c?utm_source=mail', '/C']),
      '/c': page('C'),
    });
    const { pages, missing, truncated, failure } = await crawl(site);
    expect(pages).toEqual([
      { path: '/', title: 'Home & more', foundOn: null },
      { path: '/a', title: 'A page', foundOn: '/' },
      { path: '/b?x=1&y=2', title: 'B', foundOn: '/' },
      { path: '/c', title: 'C', foundOn: '/a' },
    ]);
    expect({ missing, truncated, failure }).toEqual({ missing: ['/C'], truncated: false, failure: null });
  });

  it('start at the path of the base URL and stay in its folder, but for pages that are known', async () => {
    const site = await open({
      '/docs/': page('Docs', ['intro', '/blog', '/docs-old', 'moved', '/about']),
      '/docs/intro': page('I'),
      '/docs/moved': { status: 301, headers: { location: '/blog' } },
      '/blog': page('B'),
      '/docs-old': page('O'),
      '/about': page('A'),
    });
    const baseUrl = `${site.origin}/docs/#start`;
    const discovery = await crawl(site, { baseUrl });
    expect(pathsOf(discovery)).toEqual(['/docs/', '/docs/intro']);
    expect(discovery.warnings).toEqual([`Links to pages outside of ${site.origin}/docs/ were not followed`]);
    expect(pathsOf(await crawl(site, { baseUrl, knownPaths: ['/about'] }))).toEqual([
      '/docs/',
      '/docs/intro',
      '/about',
    ]);
  });

  it('obey <base href>, <area> and late refreshes, and leave out downloads and obvious files', async () => {
    const discovery = await discover({
      '/': page('Home', [], '<base href="/deep/er/"><meta http-equiv="refresh" content="30; url=later">').replace(
        '</body>',
        '<a href="one">1</a><area href="two"><a href="three" download>3</a><a href="/a.png">p</a><a href="/b.ZIP?x">z</a></body>',
      ),
      '/deep/er/one': page('One'),
      '/deep/er/two': page('Two'),
      '/deep/er/three': page('Three'),
      '/deep/er/later': page('Later'),
    });
    expect(pathsOf(discovery)).toEqual(['/', '/deep/er/later', '/deep/er/one', '/deep/er/two']);
  });

  it('lead to pages only where the answer is HTML, in whatever charset', async () => {
    const discovery = await discover({
      '/': page('Home', [
        '/pdf',
        '/untyped',
        '/untyped-binary',
        '/latin',
        '/meta',
        '/utf16',
        '/json',
        '/export',
        '/none',
      ]),
      '/export': { headers: { 'content-disposition': 'Attachment; filename="page.html"' }, body: page('Export') },
      '/none': { status: 204 },
      '/pdf': { headers: { 'content-type': 'application/pdf' }, body: '%PDF' },
      '/json': { headers: { 'content-type': 'application/json' }, body: '{}' },
      '/untyped': { headers: { 'content-type': '' }, body: page('Untyped') },
      '/untyped-binary': { headers: { 'content-type': '' }, body: Buffer.from([0x89, 0x50, 0x4e, 0x47]) },
      '/latin': {
        headers: { 'content-type': 'text/html; charset=ISO-8859-1' },
        body: Buffer.from(page('Caf\u00e9'), 'latin1'),
      },
      '/meta': {
        headers: { 'content-type': 'text/html' },
        body: Buffer.from('<meta charset="windows-1252"><title>Stra\u00dfe</title>', 'latin1'),
      },
      '/utf16': { headers: { 'content-type': 'text/html' }, body: Buffer.from(`\uFEFF${page('日本')}`, 'utf16le') },
    });
    expect(discovery.pages.map(({ title }) => title)).toEqual(['Home', 'Untyped', 'Café', 'Straße', '日本']);
  });

  it('marked nofollow are followed only where robots rules are not respected', async () => {
    const routes = {
      '/': page('Home', ['/a', '/b']).replace('</body>', '<a rel="external nofollow" href="/c">c</a></body>'),
      '/a': page('A', ['/d'], '<meta name="robots" content="noindex, nofollow">'),
      '/b': { headers: { 'x-robots-tag': 'nofollow' }, body: page('B', ['/e']) },
      '/c': page('C'),
      '/d': page('D'),
      '/e': page('E'),
    };
    expect(pathsOf(await discover(routes))).toEqual(['/', '/a', '/b']);
    expect(pathsOf(await discover(routes, { crawlOptions: { respectRobots: false } }))).toEqual([
      '/',
      '/a',
      '/b',
      '/c',
      '/d',
      '/e',
    ]);
  });
});

describe('a link that is marked nofollow in one place', () => {
  it('is followed where another place on the page has it without the mark', async () => {
    const links = '<a rel="nofollow" href="/a">menu</a><a href="/a">text</a>';
    const routes = { '/': page('Home').replace('</body>', `${links}</body>`), '/a': page('A') };
    expect(pathsOf(await discover(routes))).toEqual(['/', '/a']);
  });
});

describe('limits', () => {
  const calendar: Route = (request) => {
    const day = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0);
    return page(`Day ${day}`, [`/day/${day + 1}`]);
  };
  const endless = (): Record<string, Route> => new Proxy({}, { get: () => calendar });

  it('keep a calendar without end to maxDepth and maxPages', async () => {
    const site = await open({});
    site.routes = endless();
    site.routes = new Proxy(
      {},
      { get: (_, path) => (path === '/robots.txt' || path === '/sitemap.xml' ? { status: 404 } : calendar) },
    );
    const deep = await crawl(site, { maxDepth: 3 });
    expect(pathsOf(deep)).toEqual(['/', '/day/1', '/day/2', '/day/3']);
    expect(deep.truncated).toBe(false);
    const many = await crawl(site, { maxDepth: 50, maxPages: 7 });
    expect(many.pages).toHaveLength(7);
    expect(many).toMatchObject({ truncated: true, warnings: ['The limit of 7 pages was reached'] });
  });

  it('take the nearest pages, the same ones each time', async () => {
    const links = Array.from({ length: 40 }, (_, index) => `/p${index}`);
    const routes: Record<string, Route> = { '/': page('Home', links) };
    for (const link of links) routes[link] = page(link, [`${link}/below`]);
    const site = await open(routes);
    const expected = ['/', ...links.slice(0, 9)];
    expect(pathsOf(await crawl(site, { maxPages: 10 }))).toEqual(expected);
    expect(pathsOf(await crawl(site, { maxPages: 10 }))).toEqual(expected);
  });

  it('mean the base page alone at depth 0, with no sitemap', async () => {
    const site = await open({ '/': page('Home', ['/a']), '/a': page('A'), '/sitemap.xml': sitemapOf('/a') });
    expect(pathsOf(await crawl(site, { maxDepth: 0, knownPaths: ['/a'] }))).toEqual(['/']);
    expect(site.requests).not.toContain('/sitemap.xml');
  });

  it('name the known pages that are linked from too far away', async () => {
    const discovery = await discover(
      { '/': page('Home', ['/a']), '/a': page('A', ['/b', '/unknown']), '/b': page('B') },
      { maxDepth: 1, knownPaths: ['/b', '/unlinked'] },
    );
    expect(discovery).toMatchObject({ beyondDepth: ['/b'], truncated: false });
  });

  it('cut a body without end, and read the links before the cut', async () => {
    const long = page('Long', ['/a']).replace('</body>', `${'x'.repeat(9_000_000)}<a href="/late">l</a></body>`);
    const site = await open({ '/': long, '/a': page('A'), '/late': page('L') });
    const discovery = await crawl(site);
    expect(pathsOf(discovery)).toEqual(['/', '/a']);
    expect(discovery).toMatchObject({
      truncated: true,
      warnings: [`1 page is too long to be read whole, first ${site.origin}/`],
    });
  });
});

describe('one identity', () => {
  it('is what redirects and canonical links end at', async () => {
    const discovery = await discover({
      '/': page('Home', ['/old', '/sorted?by=name', '/print/x', '/away', '/x/', '/hop', '/hop-away', '/mail']),
      '/old': { status: 301, headers: { location: '/new?utm_campaign=z#frag' } },
      '/new': page('New'),
      '/sorted?by=name': page('List', [], '<link rel="canonical" href="/sorted">'),
      '/sorted': page('List'),
      '/print/x': page('X (print)', [], '<link rel=canonical href="http://elsewhere.test/x">'),
      '/away': { status: 302, headers: { location: 'http://other.test/' } },
      '/x/': { status: 308, headers: { location: '/x' } },
      '/x': page('X'),
      '/hop': page('', [], '<meta http-equiv="refresh" content="0;URL=\'/landed\'">'),
      '/landed': page('Landed'),
      '/hop-away': page('', [], '<meta http-equiv="refresh" content="0;URL=http://other.test/">'),
      '/mail': page('Mail', [], '<meta http-equiv="refresh" content="0;URL=mailto:a@other.test">'),
    });
    expect(pathsOf(discovery)).toEqual(['/', '/new', '/sorted', '/print/x', '/x', '/landed', '/mail']);
  });

  it('is one however often the site makes up a new session', async () => {
    let sessions = 0;
    const route: Route = ({ url = '' }) => {
      sessions += 1;
      const id = String(sessions).padStart(32, '0');
      const [name = ''] = url.split(/[;?]/, 1);
      if (name !== '/' && name !== '/a' && name !== '/b') return { status: 404 };
      return page(name, [`/;jsessionid=${id}`, `/a;jsessionid=${id}?x=1`, `/b?PHPSESSID=${id}`, `/b?sid=${id}`]);
    };
    const site = await open({});
    site.routes = new Proxy({}, { get: () => route });
    expect(pathsOf(await crawl(site, { maxPages: 20 }))).toEqual(['/', '/a?x=1', '/b']);
  });

  it('survives loops of redirects and canonical links', async () => {
    const discovery = await discover({
      '/': page('Home', ['/r1', '/self', '/left', '/right', '/slash/', '/grow?n=1']),
      '/r1': { status: 302, headers: { location: '/r2' } },
      '/r2': { status: 302, headers: { location: '/r1' } },
      '/self': { status: 302, headers: { location: '/self' } },
      '/left': page('L', [], '<link rel="canonical" href="/right">'),
      '/right': page('R', [], '<link rel="canonical" href="/left">'),
      '/slash/': page('S', [], '<link rel="canonical" href="/slash">'),
      '/slash': { status: 301, headers: { location: '/slash/' } },
    });
    expect(pathsOf(discovery)).toEqual(['/', '/left', '/slash/']);
  });

  it("is the page's own where its canonical leads nowhere, or home from every page", async () => {
    const home = '<link rel="canonical" href="/">';
    const discovery = await discover({
      '/': page('Home', ['/a', '/b', '/?lang=en', '/gone'], home),
      '/a': page('A', [], home),
      '/b': page('B', [], '<link rel="canonical" href="/nowhere">'),
      '/?lang=en': page('Home', [], home),
    });
    expect(pathsOf(discovery)).toEqual(['/', '/a', '/b']);
    expect(discovery.missing).toEqual(expect.arrayContaining(['/gone', '/nowhere']));
  });

  it.each(['/', '/en/'])(
    "is the page's own where each names %s as its canonical, and the home page is /en/",
    async (home) => {
      const canonical = `<link rel="canonical" href="${home}">`;
      const discovery = await discover({
        '/': { status: 302, headers: { location: '/en/' } },
        '/en/': page('Home', ['/en/a', '/en/b'], canonical),
        '/en/a': page('A', [], canonical),
        '/en/b': page('B', [], canonical),
      });
      expect(pathsOf(discovery)).toEqual(['/en/', '/en/a', '/en/b']);
    },
  );

  it('says why when the base address leads to another host', async () => {
    const discovery = await discover({ '/': { status: 301, headers: { location: 'http://www.example.test/' } } });
    expect(discovery.pages).toEqual([]);
    expect(discovery.failure).toMatch(
      /^No page was found at .*: it redirects to www\.example\.test, which is another host$/,
    );
  });
});

describe('sitemaps', () => {
  it('are found by name and by robots.txt, through indexes and gzip, and count as one link away', async () => {
    const site = await open({ '/': page('Home', ['/linked']), '/linked': page('Linked') });
    const { origin } = site;
    Object.assign(site.routes, {
      '/robots.txt': {
        headers: { 'content-type': 'text/plain' },
        body: `Sitemap: ${origin}/index.xml\nSitemap: /list.txt`,
      },
      '/index.xml': {
        body: `<sitemapindex><sitemap><loc> ${origin}/packed.xml.gz </loc></sitemap><sitemap><loc>${origin}/index.xml</loc></sitemap></sitemapindex>`,
      },
      '/packed.xml.gz': {
        headers: { 'content-type': 'application/gzip' },
        body: gzipSync(String(sitemapOf(`${origin}/packed?a=1&amp;b=2`, `${origin}/linked`, `${origin}/pic.jpg`).body)),
      },
      '/list.txt': { headers: { 'content-type': 'text/plain' }, body: `${origin}/listed\nnot an address\n` },
      '/sitemap.xml': sitemapOf(`${origin}/named`, 'http://production.test/named'),
      '/packed?a=1&b=2': page('Packed', ['/below']),
      '/listed': page('Listed'),
      '/named': page('Named'),
      '/below': page('Below'),
    });
    const discovery = await crawl(site);
    expect(discovery.pages.map(({ path, foundOn }) => [path, foundOn])).toEqual([
      ['/', null],
      ['/linked', '/'],
      ['/listed', null],
      ['/named', null],
      ['/packed?a=1&b=2', null],
      ['/below', '/packed?a=1&b=2'],
    ]);
    expect(discovery.warnings).toEqual(['Skipped 1 sitemap URL on other hosts']);
    expect((await crawl(site, { crawlOptions: { followSitemap: false } })).pages).toHaveLength(2);
  });

  it('name files and pages with or without the host', async () => {
    const site = await open({
      '/': page('Home'),
      '/sitemap.xml': { body: '<sitemapindex><sitemap><loc>/maps/docs.xml</loc></sitemap></sitemapindex>' },
      '/maps/docs.xml': sitemapOf('/docs', '../guide'),
      '/docs': page('Docs'),
      '/guide': page('Guide'),
    });
    expect(pathsOf(await crawl(site))).toEqual(['/', '/docs', '/guide']);
  });

  it('are below the path of the base URL and at the root, where robots.txt is, and name pages below that path', async () => {
    const site = await open({
      '/repo': { status: 301, headers: { location: '/repo/' } },
      '/repo/': page('Repo', ['/']),
    });
    const { origin } = site;
    Object.assign(site.routes, {
      '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /repo/private' },
      '/repo/sitemap.xml': sitemapOf(`${origin}/repo/a`, `${origin}/other/b`, `${origin}/repo/private`),
      '/sitemap.xml': sitemapOf(`${origin}/repo/c`, `${origin}/d`),
      ...Object.fromEntries(
        ['/repo/a', '/repo/c', '/repo/private', '/other/b', '/d'].map((path) => [path, page(path)]),
      ),
    });
    const discovery = await crawl(site, { baseUrl: `${origin}/repo` });
    expect(pathsOf(discovery)).toEqual(['/repo/', '/repo/a', '/repo/c']);
    expect(discovery.warnings).toEqual([
      `Links to pages outside of ${origin}/repo/ were not followed`,
      `Skipped 2 sitemap URLs outside of ${origin}/repo/`,
    ]);
    expect(site.requests).not.toContain('/repo/robots.txt');
  });

  it('that do not answer leave open what they would have named', async () => {
    const discovery = await discover({ '/': page('Home'), '/sitemap.xml': { status: 503 } }, { knownPaths: ['/x'] });
    expect(discovery).toMatchObject({ truncated: true, failure: null, missing: ['/x'] });
  });

  const named: Route = { headers: { 'content-type': 'text/plain' }, body: 'Sitemap: /all.xml' };
  const whole = String(sitemapOf('/a', '/b').body);

  it.each<[string, Record<string, Route>]>([
    ['robots.txt names, but which is refused', { '/robots.txt': named, '/all.xml': { status: 403 } }],
    [
      'an index names, but which is refused',
      {
        '/robots.txt': named,
        '/all.xml': ({ headers }) => ({
          body: `<sitemapindex><sitemap><loc>http://${headers.host}/part.xml</loc></sitemap></sitemapindex>`,
        }),
        '/part.xml': { status: 401 },
      },
    ],
    ['robots.txt names, but which shows a page instead', { '/robots.txt': named, '/all.xml': page('Back soon') }],
    ['ends in the middle', { '/sitemap.xml': { body: whole.slice(0, whole.indexOf('/b')) } }],
    ['has more entries than a sitemap may have', { '/sitemap.xml': sitemapOf(...Array<string>(50_001).fill('/')) }],
    [
      'has more lines than a sitemap may have',
      { '/robots.txt': named, '/all.xml': { body: 'https://other.test/\n'.repeat(50_001) } },
    ],
    [
      'is nested too deeply',
      Object.fromEntries(
        ['sitemap', '1', '2', '3', '4'].map((name, level): [string, Route] => [
          `/${name}.xml`,
          ({ headers }) => ({
            body: `<sitemapindex><sitemap><loc>http://${headers.host}/${level + 1}.xml</loc></sitemap></sitemapindex>`,
          }),
        ]),
      ),
    ],
  ])('that %s leave open what they would have named', async (_, files) => {
    const discovery = await discover({ '/': page('Home', ['/linked']), '/linked': page('Linked'), ...files });
    expect(discovery).toMatchObject({ truncated: true, failure: null });
    expect(discovery.warnings).toContainEqual(
      expect.stringMatching(/^The sitemap .* could not be read: |^The sitemaps were only partly read: /),
    );
  });

  it('that name more pages than a crawl takes up leave open the rest', async () => {
    const moved = Array.from({ length: 100 }, (_, index) => `/moved-${index}`);
    const site = await open({ '/': page('Home', ['/linked']), '/linked': page('Linked'), '/last': page('Last') });
    for (const path of moved) site.routes[path] = { status: 301, headers: { location: '/' } };
    site.routes['/sitemap.xml'] = sitemapOf(...[...moved, '/last'].map((path) => site.origin + path));
    const discovery = await crawl(site, { maxPages: 5 });
    expect(discovery).toMatchObject({
      truncated: true,
      warnings: ['The sitemaps were only partly read: 1 file with 100 pages'],
    });
  });

  it('that are too long are read to where they are cut, and leave open the rest', async () => {
    const site = await open({ '/': page('Home', ['/a']), '/a': page('A'), '/b': page('B') });
    site.routes['/sitemap.xml'] = { body: String(sitemapOf(`${site.origin}/b`).body) + ' '.repeat(100_000) };
    const network = createNetwork({ allowPrivateTargets: true, log: createLogger('silent') });
    closers.push(() => network.close());
    const fetch: DiscoverTools['fetch'] = async (request) => network.fetch({ ...request, maxBytes: 50_000 });
    const discovery = await crawl(site, {}, { fetch });
    expect([pathsOf(discovery), discovery.truncated]).toEqual([['/', '/a', '/b'], true]);
  });

  it.each([404, 403])('that nothing names need not be there: %s', async (status) => {
    const routes = { '/': page('Home', ['/linked']), '/linked': page('Linked'), '/sitemap.xml': { status } };
    expect(await discover(routes)).toMatchObject({ truncated: false, warnings: [] });
  });
});

describe('robots.txt', () => {
  const robots = (body: string): Route => ({ headers: { 'content-type': 'text/plain' }, body });

  it('rules where the crawler goes, by its user agent', async () => {
    const routes = {
      '/robots.txt': robots(
        'User-agent: *\nDisallow: /\n\nUser-agent: Pixelgate\nDisallow: /private\nAllow: /private/open$',
      ),
      '/': page('Home', ['/private', '/private/open', '/private/open/more', '/public']),
      '/private': page('P'),
      '/private/open': page('O'),
      '/private/open/more': page('M'),
      '/public': page('Public'),
    };
    expect(pathsOf(await discover(routes))).toEqual(['/', '/private/open', '/public']);
    expect((await discover(routes, { crawlOptions: { respectRobots: false } })).pages).toHaveLength(5);
    expect(await discover(routes, { crawlOptions: { userAgent: 'Other/1' } })).toMatchObject({
      pages: [],
      failure: expect.stringMatching(/^robots\.txt does not allow crawling/),
    });
  });

  it('allows everything when it is not there, and nothing while it cannot be read', async () => {
    expect((await discover({ '/robots.txt': { status: 403 }, '/': page('Home') })).pages).toHaveLength(1);
    expect(await discover({ '/robots.txt': { status: 500 }, '/': page('Home') })).toMatchObject({
      pages: [],
      failure: expect.stringMatching(/robots\.txt cannot be read: it returned 500/),
    });
  });

  it('that cannot be read leaves open which sitemaps it names, where its rules are not respected', async () => {
    const routes = { '/robots.txt': { status: 503 }, '/': page('Home', ['/linked']), '/linked': page('Linked') };
    const discovery = await discover(routes, { crawlOptions: { respectRobots: false } });
    expect(discovery).toMatchObject({
      truncated: true,
      failure: null,
      warnings: [expect.stringMatching(/robots\.txt cannot be read/)],
    });
    const crawlOptions = { respectRobots: false, followSitemap: false };
    expect(await discover(routes, { crawlOptions })).toMatchObject({ truncated: false, warnings: [] });
  });

  it('sets the pace, within bounds', async () => {
    const site = await open({
      '/robots.txt': robots('User-agent: *\nCrawl-delay: 3600'),
      '/': page('Home', ['/a', '/b']),
      '/a': page('A'),
      '/b': page('B'),
    });
    const waits: number[] = [];
    await crawl(site, {}, { now: () => 1_000_000, wait: async (ms) => void waits.push(ms) });
    expect(waits).toEqual([10_000, 20_000, 30_000]);
  });
});

describe('trouble', () => {
  it('is waited out when the site says how long, and tried again within bounds', async () => {
    const site = await open({
      '/': page('Home', ['/limited', '/flaky', '/broken', '/later']),
      '/limited': (_, count) => (count === 1 ? { status: 429, headers: { 'retry-after': '7' } } : page('Limited')),
      '/flaky': (_, count) => (count < 3 ? { status: 502 } : page('Flaky')),
      '/broken': { status: 500 },
      '/later': { status: 503, headers: { 'retry-after': '3600' } },
    });
    const waits: number[] = [];
    const discovery = await crawl(site, {}, { wait: async (ms) => void waits.push(ms) });
    expect(pathsOf(discovery)).toEqual(['/', '/limited', '/flaky']);
    expect(discovery.unavailable.toSorted()).toEqual(['/broken', '/later']);
    expect(site.requests.filter((path) => path === '/broken')).toHaveLength(3);
    expect(site.requests.filter((path) => path === '/later')).toHaveLength(1);
    expect(Math.max(...waits)).toBeGreaterThan(6000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(7000);
  });

  it('of a page says nothing of the known pages behind it, which are asked for themselves', async () => {
    const discovery = await discover(
      { '/': page('Home', ['/hub']), '/hub': { status: 503 }, '/behind': page('Behind') },
      { knownPaths: ['/', '/hub', '/behind', '/gone'] },
    );
    expect(discovery).toMatchObject({ truncated: false, unavailable: ['/hub'], missing: ['/gone'] });
    expect(pathsOf(discovery)).toEqual(['/']);
  });

  it('is none where the base URL leads elsewhere on its host', async () => {
    const site = await open({ '/old/': { status: 301, headers: { location: '/new/' } }, '/new/': page('New', ['a']) });
    site.routes['/new/a'] = page('A');
    expect(pathsOf(await crawl(site, { baseUrl: `${site.origin}/old/` }))).toEqual(['/new/', '/new/a']);
  });

  it('of the base page is told', async () => {
    expect((await discover({})).failure).toMatch(/: it returned 404 Not Found$/);
    expect((await discover({ '/': { status: 500 } })).failure).toMatch(/: it returned 500 Internal Server Error$/);
    expect((await discover({ '/': { headers: { 'content-type': 'image/png' } } })).failure).toMatch(/not an HTML page/);
    const site = await open({});
    const failure = (await crawl(site, { baseUrl: 'http://127.0.0.1:1' })).failure;
    expect(failure).toMatch(/127\.0\.0\.1:1 refused the connection$/);
  });

  it('is a wall that answers as if it were the page', async () => {
    const wall = '<title>Authentication required</title><form><input name="_vercel_password" type="password"></form>';
    const discovery = await discover({ '/': page('Home', ['/a']), '/a': wall }, { knownPaths: ['/', '/a'] });
    expect([pathsOf(discovery), discovery.unavailable]).toEqual([['/'], ['/a']]);
    expect(await discover({ '/': wall })).toMatchObject({ pages: [], failure: expect.stringContaining('a password') });
  });

  it('without end stops the crawl', async () => {
    const links = Array.from({ length: 60 }, (_, index) => `/p${index}`);
    const site = await open({ '/': page('Home', links) });
    site.routes = new Proxy(site.routes, {
      get: (routes, path) => (String(path).startsWith('/p') ? { status: 500 } : routes[String(path)]),
    });
    const discovery = await crawl(site);
    expect(discovery.truncated).toBe(true);
    expect(discovery.warnings).toEqual([expect.stringMatching(/^The site stopped responding/)]);
    expect(site.requests.length).toBeLessThan(140);
  });

  it('is not a cancelled crawl, which ends at once', async () => {
    const site = await open({ '/': page('Home', ['/a']) });
    await expect(crawl(site, {}, { isCancelled: async () => site.requests.length > 1 })).rejects.toThrow(
      CrawlCancelled,
    );
  });
});

describe('pages added by hand', () => {
  it('are looked up, linked or not, and keep their own path', async () => {
    const discovery = await discover(
      {
        '/': page('Home', ['/linked']),
        '/linked': page('Linked'),
        '/alone': page('Alone', ['/unseen']),
        '/moved': { status: 302, headers: { location: '/linked' } },
        '/canonical': page('C', [], '<link rel="canonical" href="/linked">'),
        '/broken': { status: 500 },
        '/secret': { status: 403 },
      },
      { extraPaths: ['/linked', '/alone', '/moved', '/canonical', '/broken', '/secret', '/gone'] },
    );
    expect(discovery.pages.map(({ path, foundOn }) => [path, foundOn])).toEqual([
      ['/', null],
      ['/linked', '/'],
      ['/alone', null],
      ['/moved', null],
      ['/canonical', null],
    ]);
    expect(discovery).toMatchObject({ missing: ['/gone'], truncated: false });
    expect(discovery.unavailable.toSorted()).toEqual(['/broken', '/secret']);
  });
});

describe('pages that build their links in the browser', () => {
  const shell = '<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>';

  it('are rendered; those with links, or with no script, are not', async () => {
    const site = await open({ '/': shell, '/a': page('A', ['/']), '/b': shell, '/c': page('No links') });
    const rendered: string[] = [];
    const render = async (url: string): Promise<{ url: string; html: string }> => {
      rendered.push(new URL(url).pathname);
      return { url, html: url.endsWith('/') ? page('Rendered', ['/a', '/b', '/c']) : page('B') };
    };
    const discovery = await crawl(site, {}, { render });
    expect(discovery.pages.map(({ path, title }) => [path, title])).toEqual([
      ['/', 'Rendered'],
      ['/a', 'A'],
      ['/b', 'B'],
      ['/c', 'No links'],
    ]);
    expect(rendered).toEqual(['/', '/b']);
  });

  it('are where their script took the browser, unless that is another host', async () => {
    const site = await open({ '/': shell, '/welcome': page('Welcome', ['/out']), '/out': shell });
    const render = async (url: string): Promise<{ url: string; html: string }> => ({
      url: url.endsWith('/out') ? 'http://login.test/' : `${site.origin}/welcome#x`,
      html: '',
    });
    expect(pathsOf(await crawl(site, {}, { render }))).toEqual(['/welcome']);
  });

  it('stay as they were fetched when the browser fails, and the crawl says so', async () => {
    const site = await open({ '/': shell });
    const discovery = await crawl(site);
    expect(discovery.pages).toMatchObject([{ path: '/', title: 'App' }]);
    const home = `${site.origin}/`;
    expect(discovery.warnings).toEqual([
      `1 page could not be opened in the browser, first ${home}: ${home} should not be rendered`,
    ]);
  });
});
