import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { probePreview } from '../../../src/github/previews/probe-preview.ts';
import { createLogger } from '../../../src/logger.ts';
import { createNetwork } from '../../../src/net/create-network.ts';
import type { Network } from '../../../src/net/network.ts';
import { html, startSmallSite, type SmallSite } from '../../support/small-site.ts';

let network: Network;
let preview: SmallSite;
let own: SmallSite;

beforeAll(() => {
  network = createNetwork({ allowPrivateTargets: true, log: createLogger('silent') });
});
afterAll(() => network.close());
beforeEach(async () => {
  preview = await startSmallSite(new Map());
  own = await startSmallSite(new Map([['/', html('Home', 'Welcome')]]));
});
afterEach(() => Promise.all([preview.stop(), own.stop()]));

const answers =
  (status: number, headers: Record<string, string> = {}, body = '') =>
  (response: ServerResponse) => {
    response.writeHead(status, headers);
    response.end(body);
  };

const probeAt = async (address: string, site: string, paths: string[], isAnnounced = false) =>
  probePreview(
    { network, userAgent: 'Pixelgate/test', timeout: 5000 },
    { address, site, paths, explain: async (wall) => `Wall: ${wall}`, isAnnounced },
  );

const probe = async (paths: string[]) => (await probeAt(preview.origin, own.origin, paths)).problem;

/** The same page at every path, as a login wall or a single-page application responds. */
function showEverywhere(site: SmallSite, page: string): void {
  site.pages.get = () => page;
}

describe('a preview', () => {
  it('can be captured when one of its pages answers', async () => {
    preview.pages.set('/', html('Home', 'Welcome'));
    preview.pages.set('/moved', answers(302, { location: '/' }));
    expect(await probe(['/'])).toBeNull();
    expect(await probe(['/gone', '/'])).toBeNull();
    expect(await probe(['/moved'])).toBeNull();
  });

  it('can be captured when the pull request removes the pages that were tracked', async () => {
    preview.pages.set('/', html('Home', 'Welcome'));
    expect(await probe(['/gone', '/also-gone'])).toBeNull();
  });

  it.each([401, 403])('is behind a login when it answers %i', async (status) => {
    preview.pages.set('/', answers(status));
    expect(await probe(['/'])).toEqual({ message: expect.stringContaining(`returned ${status}`), final: true });
  });

  it.each([
    [401, { server: 'Vercel' }, '', 'vercel'],
    [302, { location: 'https://vercel.com/sso-api?url=x' }, '', 'vercel'],
    [302, { location: 'https://acme.cloudflareaccess.com/cdn-cgi/access/login/x' }, '', 'cloudflareAccess'],
    [401, { server: 'Netlify' }, '<form method="post"><input type="password" name="password"></form>', 'netlify'],
    [401, { 'www-authenticate': 'Basic realm="Staff"' }, '', 'basic'],
    [200, {}, '<form><input name="_vercel_password" type="password"></form>', 'vercel'],
  ])('that answers %i %j names the wall: it is %s', async (status, headers, body, wall) => {
    preview.pages.get = () => answers(status, headers, body);
    expect(await probe(['/'])).toEqual({ message: expect.stringContaining(`Wall: ${wall}`), final: true });
  });

  it('is behind a login when it redirects to another host, at once or later', async () => {
    preview.pages.set('/', answers(307, { location: '/login' }));
    preview.pages.set('/login', answers(302, { location: 'https://login.example/?next=1' }));
    expect(await probe(['/'])).toEqual({ message: expect.stringContaining('redirects to login.example'), final: true });
  });

  it('is behind a login when it shows the same page at every path, and the own site does not', async () => {
    showEverywhere(preview, html('Sign in', '<form><input type="password"></form> Who are you?'));
    expect(await probe(['/', '/a'])).toEqual({
      message: expect.stringContaining('same page at every path'),
      final: true,
    });
  });

  it('is behind a login when every path leads to one on the same host', async () => {
    const login = html('Sign in', 'Who are you?');
    preview.pages.get = (path) => (path.startsWith('/login') ? login : answers(302, { location: `/login?to=${path}` }));
    expect(await probe(['/', '/a'])).toMatchObject({ final: true });
  });

  it('may be an application that shows one page at every path, as the own site does', async () => {
    for (const site of [preview, own])
      showEverywhere(site, html('App', '<div id="root"></div> Loading the application'));
    expect(await probe(['/', '/a'])).toBeNull();
  });

  it('may be an application that a script builds where the own site does not answer', async () => {
    await own.stop();
    showEverywhere(preview, html('App', '<div id="root"></div><script src="/app.js"></script>'));
    expect(await probe(['/'])).toBeNull();
  });

  it.each([404, 500, 503])('may still come up when it answers %i', async (status) => {
    preview.pages.get = () => answers(status, {}, 'no');
    expect(await probe(['/'])).toEqual({ message: expect.stringContaining(`returned ${status}`), final: false });
  });

  it('may still come up when nobody answers', async () => {
    await preview.stop();
    expect(await probe(['/'])).toMatchObject({ final: false });
  });

  it('is not its host’s error page, whatever the status', async () => {
    showEverywhere(preview, html('404', '<b>404: NOT_FOUND</b> Code: DEPLOYMENT_NOT_FOUND'));
    expect(await probe(['/'])).toEqual({ message: expect.stringContaining('error page from Vercel'), final: false });
  });

  it('is told when it redirects endlessly', async () => {
    preview.pages.set('/', answers(302, { location: '/' }));
    expect(await probe(['/'])).toEqual({ message: expect.stringContaining('endlessly'), final: false });
  });
});

/** Pages at these paths of the site, and nothing else. */
function showAt(site: SmallSite, paths: string[]): void {
  for (const path of paths) site.pages.set(path, html(path, `This is ${path}`));
}

describe('a preview below a path', () => {
  const PATHS = ['/', '/a'];

  it('is requested there, and not at the root of its host', async () => {
    showAt(own, [...PATHS, '/pr-7/', '/pr-7/a']);
    for (const address of [`${own.origin}/pr-7`, `${own.origin}/pr-7/?x=1#y`])
      expect(await probeAt(address, own.origin, PATHS)).toEqual({ address, problem: null });
    expect(own.requests.filter((path) => !path.startsWith('/pr-7/'))).toEqual([]);
  });

  it('is not up while only the rest of its host is', async () => {
    showAt(own, PATHS);
    const { problem } = await probeAt(`${own.origin}/pr-7/`, own.origin, PATHS);
    expect(problem).toEqual({ message: `${new URL(own.origin).host}/pr-7 returned 404`, final: false });
  });

  it('is not up while its host shows the site’s application there', async () => {
    const shell = (script: string) => html('App', `<div id="root"></div><script src="${script}"></script>`);
    showEverywhere(own, shell('/app.1.js'));
    const { problem } = await probeAt(`${own.origin}/pr-7/`, own.origin, PATHS);
    expect(problem).toEqual({ message: expect.stringContaining('where it has no page'), final: false });
    expect((await probeAt(`${own.origin}/pr-7/`, own.origin, PATHS, true)).problem).toBeNull();
    own.pages.get = (path) => shell(path.startsWith('/pr-7/') ? '/pr-7/app.2.js' : '/app.1.js');
    expect((await probeAt(`${own.origin}/pr-7/`, own.origin, PATHS)).problem).toBeNull();
  });

  it('is not up while it redirects to the rest of its host', async () => {
    showAt(own, PATHS);
    for (const path of ['/pr-7/', '/pr-7/a']) own.pages.set(path, answers(302, { location: '/?token=swordfish' }));
    const { problem } = await probeAt(`${own.origin}/pr-7/`, own.origin, PATHS);
    expect(problem).toEqual({
      message: expect.stringContaining(`redirects to ${own.origin}/, which is outside of the preview`),
      final: false,
    });
  });

  it('is behind a login that is elsewhere on its host', async () => {
    own.pages.get = (path) =>
      path === '/login' ? html('Sign in', 'Who are you?') : answers(302, { location: '/login' });
    const { problem } = await probeAt(`${own.origin}/pr-7/`, own.origin, PATHS);
    expect(problem).toEqual({ message: expect.stringContaining('Wall: login'), final: true });
  });

  it('can be captured when the pull request removes the pages that were tracked', async () => {
    showAt(own, [...PATHS, '/pr-7/']);
    expect((await probeAt(`${own.origin}/pr-7/`, own.origin, ['/a', '/gone'])).problem).toBeNull();
  });
});

describe('a preview of a site that is below a path', () => {
  const PATHS = ['/', '/other', '/repo/', '/repo/a', '/repo/b'];
  const probeOf = async (address: string) => probeAt(address, `${own.origin}/repo/`, PATHS);

  it('has its pages at its own address, without that path', async () => {
    showAt(preview, ['/', '/a', '/b', '/repo/a']);
    expect(await probeOf(preview.origin)).toEqual({ address: preview.origin, problem: null });
    showAt(preview, ['/pr-7/', '/pr-7/a', '/pr-7/b']);
    const address = `${preview.origin}/pr-7`;
    expect(await probeOf(address)).toEqual({ address, problem: null });
  });

  it('has them below that path where its host has more of them there', async () => {
    showAt(preview, ['/repo/', '/repo/a', '/repo/b']);
    preview.pages.set('/', answers(302, { location: '/repo/' }));
    expect(await probeOf(preview.origin)).toEqual({ address: `${preview.origin}/repo/`, problem: null });
  });

  it('has them below that path where its host shows one page for all that it does not have', async () => {
    showAt(preview, ['/repo/', '/repo/a', '/repo/b']);
    const { get } = preview.pages;
    preview.pages.get = (path) => get.call(preview.pages, path) ?? html('Oh', 'There is no such page');
    expect(await probeOf(preview.origin)).toMatchObject({ address: `${preview.origin}/repo/`, problem: null });
  });

  it('never has the place of the site itself', async () => {
    showAt(own, ['/repo/', '/repo/a', '/repo/b']);
    own.pages.delete('/');
    expect(await probeOf(own.origin)).toMatchObject({ address: own.origin, problem: { final: false } });
  });

  it('is judged by its own start where no page of the suite is below the path', async () => {
    showAt(preview, ['/']);
    expect((await probeAt(preview.origin, `${own.origin}/repo/`, ['/other'])).problem).toBeNull();
    preview.pages.clear();
    expect((await probeAt(preview.origin, `${own.origin}/repo/`, ['/other'])).problem).toMatchObject({ final: false });
  });
});
