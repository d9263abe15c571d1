import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { probePreview } from '../../../src/github/previews/probe-preview.ts';
import { createLogger } from '../../../src/logger.ts';
import { createNetwork } from '../../../src/net/create-network.ts';
import type { Network } from '../../../src/net/network.ts';
import type { SmallSite } from '../../support/small-site.ts';
import { html, startSmallSite } from '../../support/small-site.ts';

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

const probe = (paths: string[]) =>
  probePreview(
    { network, userAgent: 'Pixelgate/test', timeout: 5000 },
    { address: preview.origin, site: own.origin, paths, explain: async (wall) => `Wall: ${wall}` },
  );

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
