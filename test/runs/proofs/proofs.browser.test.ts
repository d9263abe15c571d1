import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { storeBuild } from '../../../src/runs/builds/store-build.ts';
import type { PageResult } from '../../../src/runs/results/result.ts';
import { changeSiteAccess } from '../../../src/suites/site-access/change-site-access.ts';
import { tarGzOf } from '../../archives/archives.ts';
import { html, openSite, type Site } from '../../capture/site.ts';
import { updateSuite } from '../../support/requests.ts';
import type { World } from '../../support/world.ts';
import { isProven, realWorld, run, suiteOf } from './proof-world.ts';

let world: World & { end: () => Promise<void> };
let site: Site;
let preview: Site;

beforeAll(async () => {
  [world, site, preview] = await Promise.all([realWorld(), openSite(), openSite()]);
});

afterAll(async () => {
  await Promise.all([world.end(), site.close(), preview.close()]);
});

type Answer = (request: IncomingMessage) => string;

const as = (type: string, body: Answer | string) => (request: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': type }).end(typeof body === 'string' ? body : body(request));

const svg = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"><rect width="60" height="60" fill="${color}"/></svg>`;
const picture = (color: string) => as('image/svg+xml', svg(color));

const both = () => [
  { on: site, color: 'green' },
  { on: preview, color: 'red' },
];

/** By page and viewport. */
const proven = (results: PageResult[]) =>
  results.filter((result) => isProven(result)).map(({ path, viewport }) => `${path} ${viewport}`);

describe('a page that is served as when its baseline was captured', () => {
  it('passes by proof without being loaded, and one that is served otherwise is captured', async () => {
    for (const each of [site, preview]) {
      each.page('/style.css', as('text/css', 'p { color: green }'));
      each.page('/still', html('<p>Still</p>', '<link rel="stylesheet" href="/style.css">'));
    }
    site.page('/changed', html('<p>Before</p>'));
    preview.page('/changed', html('<p>After</p>'));
    const of = await suiteOf(world, site.origin, ['/changed', '/still']);
    const seeds = await run(world, of);
    expect(seeds.map(({ proof }) => proof)).toEqual([null, null]);
    const [changed, same] = await run(world, of, { targetBaseUrl: preview.origin });
    expect(same).toMatchObject({ status: 'PASS', proof: { requests: 2 }, currentFile: seeds[1]?.currentFile });
    expect(same !== undefined && isProven(same)).toBe(true);
    expect(changed).toMatchObject({ status: 'FAIL', proof: { state: 'ASKED' } });
    expect(preview.hits('/style.css')).toBe(1);
    expect(preview.hits('/still')).toBe(1);
  });

  it('is proven at each viewport by itself', async () => {
    for (const { on, color } of both()) {
      on.page('/large.svg', picture('blue'));
      on.page('/small.svg', picture(color));
      on.page('/srcset', html('<img srcset="small.svg 200w, large.svg 1000w" sizes="100vw">'));
      const agent: Answer = ({ headers }) => (headers['user-agent'] === 'Old browser' ? color : 'Welcome');
      on.page(
        '/agent',
        as('text/html; charset=utf-8', (request) => html(agent(request))),
      );
      const style = 'p { height: 50px } @media (max-width: 300px) { p { background: url(small.svg) } }';
      on.page('/media', html('<p></p>', `<style>${style}</style>`));
    }
    const of = await suiteOf(world, site.origin, ['/agent', '/media', '/srcset'], {
      viewports: [
        { name: 'desktop', width: 900, height: 300 },
        { name: 'mobile', width: 200, height: 300, userAgent: 'Old browser' },
      ],
    });
    await run(world, of);
    const results = await run(world, of, { targetBaseUrl: preview.origin });
    expect(proven(results)).toEqual(['/agent desktop', '/media desktop', '/srcset desktop']);
    const failed = results.filter(({ status }) => status === 'FAIL').map(({ viewport }) => viewport);
    expect(failed).toEqual(['mobile', 'mobile', 'mobile']);
  });

  it('is asked for through the walls of its site, and proven while what passes them is the same', async () => {
    for (const { on } of both()) {
      on.page('/walled', (request, response) => {
        const isOpen = request.headers['x-key'] === 'secret';
        response.writeHead(isOpen ? 200 : 401, { 'content-type': 'text/html; charset=utf-8' }).end(html('Inside'));
      });
    }
    const of = await suiteOf(world, site.origin, ['/walled']);
    const access = (key: string) => ({
      headers: [
        { name: 'x-key', value: 'secret' },
        { name: 'x-other', value: key },
      ],
    });
    const previewHosts = [new URL(preview.origin).hostname];
    await changeSiteAccess(world.ctx, of.suite, { ...access('one'), previewHosts });
    await run(world, of);
    expect(proven(await run(world, of, { targetBaseUrl: preview.origin }))).toEqual(['/walled desktop']);
    await changeSiteAccess(world.ctx, of.suite, access('two'));
    const [again] = await run(world, of, { targetBaseUrl: preview.origin });
    expect(again).toMatchObject({ status: 'PASS', proof: { state: 'ASKED' } });
    // What it was made of is known anew.
    expect(proven(await run(world, of, { targetBaseUrl: preview.origin }))).toEqual(['/walled desktop']);
  });

  it('is proven in an uploaded build', async () => {
    const files = [
      { path: 'same.html', content: html('<p>Same</p>', '<link rel="stylesheet" href="a.css">') },
      { path: 'a.css', content: 'p { color: green }' },
    ];
    for (const { path, content } of files) {
      const type = path.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/html; charset=utf-8';
      site.page(`/${path}`, as(type, content));
    }
    site.page('/changed.html', as('text/html; charset=utf-8', html('Before')));
    const of = await suiteOf(world, site.origin, ['/changed.html', '/same.html']);
    await run(world, of);
    const { id } = await storeBuild(world.ctx, of.suite, {
      stream: Readable.from([tarGzOf([...files, { path: 'changed.html', content: html('After') }])]),
      length: null,
      headSha: null,
      gone: new AbortController().signal,
    });
    const results = await run(world, of, { buildId: id });
    expect(proven(results)).toEqual(['/same.html desktop']);
    expect(results.map(({ status }) => status)).toEqual(['FAIL', 'PASS']);
  });

  it('is the page itself, not another one that was at its address below another base', async () => {
    for (const each of [site, preview]) {
      each.page('/docs/guide', html('<p>Guide</p>'));
      each.page('/guide', html('<p>Guide</p>'));
    }
    preview.page('/docs/guide', html('<p>Other</p>'));
    const of = await suiteOf(world, `${site.origin}/docs/`, ['/docs/guide']);
    await run(world, of);
    await updateSuite(world.ctx, of.viewer, of.suite.id, { baseUrl: site.origin });
    const [found] = await run(world, of, { targetBaseUrl: preview.origin });
    expect(found).toMatchObject({ status: 'FAIL', proof: { state: 'ASKED' } });
  });

  it('is captured where something else is in the body of a redirect that leads nowhere', async () => {
    for (const { on, color } of both()) {
      on.page('/choices', (_, response) => {
        response.writeHead(300, { 'content-type': 'text/html; charset=utf-8' }).end(html(`<h1>${color}</h1>`));
      });
      on.page('/lost.svg', (_, response) => {
        response.writeHead(302, { 'content-type': 'image/svg+xml' }).end(svg(color));
      });
      on.page('/lost-picture', html('<img src="lost.svg">'));
    }
    const of = await suiteOf(world, site.origin, ['/choices', '/lost-picture']);
    await run(world, of);
    const results = await run(world, of, { targetBaseUrl: preview.origin });
    expect(proven(results)).toEqual([]);
    expect(results.map(({ status }) => status)).toEqual(['FAIL', 'FAIL']);
  });

  it('may prefetch other pages, and is captured if it is made of what it prefetched', async () => {
    for (const { on, color } of both()) {
      on.page('/next', html(color));
      on.page('/next.svg', picture(color));
      on.page('/next.css', as('text/css', `p { color: ${color} }`));
      const prefetch = (file: string) => `<link rel="prefetch" href="${file}">`;
      on.page('/prefetches', html('<p>Text</p>', prefetch('next')));
      on.page('/picture', html('<p>Text</p><img src="next.svg">', prefetch('next.svg')));
      on.page('/sheet', html('<p>Text</p>', `${prefetch('next.css')}<link rel="stylesheet" href="next.css">`));
      on.page('/frame', html('<p>Text</p><iframe src="next"></iframe>', prefetch('next')));
    }
    const of = await suiteOf(world, site.origin, ['/frame', '/picture', '/prefetches', '/sheet']);
    await run(world, of);
    const results = await run(world, of, { targetBaseUrl: preview.origin });
    expect(proven(results)).toEqual(['/prefetches desktop']);
    expect(results.map(({ status }) => status)).toEqual(['FAIL', 'FAIL', 'PASS', 'FAIL']);
  });

  it('is captured where the browser trusts its server less than that of the site', async () => {
    site.page('/a.svg', picture('green'));
    site.page('/upgraded', (_, response) => {
      const policy = 'upgrade-insecure-requests';
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
      response.end(html('<img src="a.svg">'));
    });
    const of = await suiteOf(world, site.origin, ['/upgraded']);
    await run(world, of);
    // The same server, by an address that is not known to be this machine.
    const [found] = await run(world, of, { targetBaseUrl: site.origin.replace('127.0.0.1', '0.0.0.0') });
    expect(found).toMatchObject({ status: 'FAIL', proof: { state: 'ASKED' } });
  });

  it('is captured in a folder where it asks for something outside of it', async () => {
    for (const base of [site.origin, `${preview.origin}/pr-7`]) {
      const { origin, pathname } = new URL(base);
      const on = origin === site.origin ? site : preview;
      const folder = pathname === '/' ? '' : pathname;
      on.page(`${folder}/a.svg`, picture('green'));
      on.page(`${folder}/lost`, as('text/html; charset=utf-8', html('<img src="/a.svg">')));
      on.page(`${folder}/found`, as('text/html; charset=utf-8', html(`<img src="${folder}/a.svg">`)));
    }
    const of = await suiteOf(world, site.origin, ['/found', '/lost']);
    await run(world, of);
    preview.page('/a.svg', picture('red'));
    const results = await run(world, of, { targetBaseUrl: `${preview.origin}/pr-7/` });
    expect(proven(results)).toEqual(['/found desktop']);
    expect(results.map(({ status }) => status)).toEqual(['PASS', 'FAIL']);
  });
});
