import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CaptureError } from '../../../src/capture/browser/browser.ts';
import type { SignInRequest } from '../../../src/capture/site-access/sign-in-request.ts';
import type { WorkerContext } from '../../../src/context.ts';
import type { FetchRequest, FetchResponse } from '../../../src/net/network.ts';
import { getSuiteFor } from '../../../src/suites/read-suite.ts';
import { replaceSiteAccess } from '../../../src/suites/site-access/change-site-access.ts';
import { createSiteFetch } from '../../../src/suites/site-access/fetch-site.ts';
import type { SiteSecrets } from '../../../src/suites/site-access/site-access.ts';
import { explainWall, visitSite } from '../../../src/suites/site-access/visit-site.ts';
import { createTestDatabase } from '../../support/database.ts';
import { newSuite, newViewer, worldOn } from '../../support/world.ts';

const SITE = 'http://site.test';
const SECRET = 'swordfish';

const database = await createTestDatabase();
const world = worldOn(database.db);
afterAll(() => database.drop());

let now: Date;
let asked: FetchRequest[];
let logins: SignInRequest[];
let answer: (request: FetchRequest) => Partial<FetchResponse>;
let signIn: () => Promise<void>;
let ctx: WorkerContext;
beforeEach(() => {
  now = new Date('2026-11-21T12:00:00Z');
  asked = [];
  logins = [];
  answer = () => ({});
  signIn = async () => {};
  ctx = {
    ...world.ctx,
    clock: { now: () => now },
    siteSessions: new Map(),
    network: {
      ...world.ctx.network,
      fetch: async (request) => {
        asked.push(request);
        return { status: 200, headers: {}, body: Buffer.alloc(0), truncated: false, ...answer(request) };
      },
    },
    browser: {
      ...world.ctx.browser,
      signIn: async (request) => {
        logins.push(request);
        await signIn();
        const value = `session-${logins.length}`;
        return { cookies: [{ name: 'sid', value, path: '/', httpOnly: true, sameSite: 'Lax' }], localStorage: [] };
      },
    },
  };
});

async function suiteWith(secrets: SiteSecrets & { previewHosts?: string[] }): Promise<string> {
  const viewer = await newViewer(world);
  const { id } = await newSuite(world, viewer, []);
  await replaceSiteAccess(world.ctx, await getSuiteFor(world.ctx, viewer, id, 'suite.access'), secrets);
  return id;
}

const LOGIN = {
  login: {
    path: '/login',
    fields: [{ selector: '#password', value: SECRET }],
    submit: null,
    success: { selector: '#hello' },
  },
};
const get = (url: string) => ({ url, userAgent: 'test', timeout: 1000, maxBytes: 1000 });

describe('a visit to a site', () => {
  it('without any access sends nothing, and asks nothing', async () => {
    const { id } = await newSuite(world, await newViewer(world), []);
    const visit = await visitSite(ctx, { suiteId: id, url: `${SITE}/`, scope: 'a' });
    expect(visit).toMatchObject({ sent: null, withheld: 'NONE', renew: null });
    expect(asked).toEqual([]);
  });

  it.each([
    [{ vercel: { secret: SECRET } }, '_vercel_jwt', { 'x-vercel-protection-bypass': SECRET }],
    [
      { cloudflareAccess: { clientId: 'id', clientSecret: SECRET } },
      'CF_Authorization',
      { 'cf-access-client-id': 'id', 'cf-access-client-secret': SECRET },
    ],
  ])('with %j takes the cookie of the host, or its headers where it sets none', async (secrets, cookie, headers) => {
    const suiteId = await suiteWith(secrets);
    const plain = await visitSite(ctx, { suiteId, url: `${SITE}/a`, scope: 'a' });
    expect(Object.fromEntries((plain.sent?.headers ?? []).map(({ name, value }) => [name, value]))).toEqual(headers);
    answer = () => ({ status: 307, headers: { 'set-cookie': `${cookie}=jwt; Path=/; Secure; HttpOnly\nother=1` } });
    const traded = await visitSite(ctx, { suiteId, url: `${SITE}/a`, scope: 'b' });
    expect(traded.sent).toMatchObject({ headers: [], cookies: [{ name: cookie, value: 'jwt' }] });
    expect(asked).toMatchObject([{ headers }, { headers }]);
  });

  it('with a Netlify password sends the form once', async () => {
    const suiteId = await suiteWith({ netlify: { password: SECRET } });
    answer = () => ({ status: 302, headers: { 'set-cookie': 'nf_jwt=x; Path=/' } });
    const visit = await visitSite(ctx, { suiteId, url: `${SITE}/a`, scope: 'a' });
    await visitSite(ctx, { suiteId, url: `${SITE}/b`, scope: 'a' });
    expect(visit.sent?.cookies).toMatchObject([{ name: 'nf_jwt' }]);
    expect(asked).toMatchObject([{ url: `${SITE}/`, form: { password: SECRET } }]);
  });

  it.each([
    ['protects its previews alone', { status: 405 }, null],
    ['answers each form with its page', { status: 200, body: Buffer.from('<h1>Home</h1>') }, null],
    [
      'refuses the password',
      { status: 401 },
      expect.stringContaining('did not accept the Netlify password (it returned 401)'),
    ],
    [
      'asks for the password again',
      { status: 200, body: Buffer.from('<form><input type="password" name="password"></form>') },
      expect.stringContaining('did not accept the Netlify password'),
    ],
  ])('with a Netlify password, where the site %s, fails only at a wall', async (_, response, failure) => {
    const suiteId = await suiteWith({ netlify: { password: SECRET } });
    answer = () => response;
    const visit = await visitSite(ctx, { suiteId, url: `${SITE}/a`, scope: 'a' });
    expect(visit.failure).toEqual(failure);
    expect(visit.sent?.cookies ?? []).toEqual([]);
  });

  it('takes of a storage state what belongs to the host', async () => {
    const cookie = { value: '1', path: '/', httpOnly: true, sameSite: 'Lax' as const };
    const suiteId = await suiteWith({
      storageState: {
        cookies: [
          { ...cookie, name: 'own', domain: 'site.test' },
          { ...cookie, name: 'parent', domain: '.test' },
          { ...cookie, name: 'other', domain: 'login.site.test' },
          { ...cookie, name: 'alike', domain: 'evilsite.test' },
        ],
        origins: [
          { origin: SITE, localStorage: [{ name: 'mine', value: '1' }] },
          { origin: 'https://site.test', localStorage: [{ name: 'secure', value: '1' }] },
          { origin: 'https://elsewhere.test', localStorage: [{ name: 'theirs', value: '1' }] },
        ],
      },
    });
    const { sent } = await visitSite(ctx, { suiteId, url: SITE, scope: 'a' });
    expect(sent?.cookies.map(({ name }) => name)).toEqual(['own', 'parent']);
    expect(sent?.localStorage.map(({ name }) => name)).toEqual(['mine', 'secure']);
  });

  it('logs in once for all that comes at a time in a scope, and again in another', async () => {
    const suiteId = await suiteWith(LOGIN);
    const visits = ['/a', '/b', '/c'].map(async (path) => visitSite(ctx, { suiteId, url: SITE + path, scope: 'run' }));
    const sent = (await Promise.all(visits)).map((visit) => visit.sent?.cookies[0]?.value);
    expect(sent).toEqual(['session-1', 'session-1', 'session-1']);
    await visitSite(ctx, { suiteId, url: SITE, scope: 'another run' });
    expect(logins).toMatchObject([{ url: `${SITE}/login`, fields: [{ value: SECRET }] }, {}]);
  });

  it('does not try a login that failed again within a minute', async () => {
    const suiteId = await suiteWith(LOGIN);
    signIn = async () => Promise.reject(new CaptureError('The login failed'));
    const visit = async () => visitSite(ctx, { suiteId, url: SITE, scope: 'run' });
    expect(await visit()).toMatchObject({ failure: 'The login failed', sent: null, renew: null });
    expect(await visit()).toMatchObject({ failure: 'The login failed' });
    expect(logins).toHaveLength(1);
    now = new Date(now.getTime() + 61_000);
    signIn = async () => {};
    expect(await visit()).toMatchObject({ failure: null });
  });

  it('tries a login that failed again when the clock was set back', async () => {
    const suiteId = await suiteWith(LOGIN);
    signIn = async () => Promise.reject(new CaptureError('The login failed'));
    const visit = async () => visitSite(ctx, { suiteId, url: SITE, scope: 'run' });
    expect(await visit()).toMatchObject({ failure: 'The login failed' });
    now = new Date(now.getTime() - 3 * 3_600_000);
    signIn = async () => {};
    expect(await visit()).toMatchObject({ failure: null });
  });

  it('sends nothing to other hosts, nor to previews but those that were named, nor those in plain text', async () => {
    const suiteId = await suiteWith({ vercel: { secret: SECRET }, previewHosts: ['*--acme.netlify.app'] });
    const withheld = async (url: string) => (await visitSite(ctx, { suiteId, url, scope: 'a' })).withheld;
    expect(await withheld('https://new--acme.netlify.app/')).toBeNull();
    expect(await withheld('https://site.test/')).toBeNull();
    expect(await withheld('http://new--acme.netlify.app/')).toBe('OTHER_HOST');
    expect(await withheld('https://evil.test/')).toBe('OTHER_HOST');
    expect(await withheld('http://site.test:8080/')).toBe('OTHER_HOST');
    await world.db('test_suites').where({ id: suiteId }).update({ origin: 'https://evil.test' });
    expect(await withheld('https://evil.test/')).toBe('OTHER_ORIGIN');
    expect(await withheld('http://site.test/')).toBe('OTHER_ORIGIN');
    expect(asked.map(({ url }) => new URL(url).host)).not.toContain('evil.test');
  });
});

describe('requests to a site', () => {
  it('carry what passes its walls, and those to anywhere else do not', async () => {
    const suiteId = await suiteWith({ headers: [{ name: 'X-Token', value: SECRET }] });
    const { fetch } = createSiteFetch(ctx, { suiteId, scope: 'crawl' });
    await fetch(get(`${SITE}/sitemap.xml`));
    await fetch(get('https://cdn.test/sitemap.xml'));
    expect(asked).toMatchObject([{ headers: { 'x-token': SECRET } }, { headers: {} }]);
    expect(JSON.stringify(asked[1])).not.toContain(SECRET);
  });

  it('log in again when the session has lapsed, and name a wall that stays', async () => {
    const suiteId = await suiteWith(LOGIN);
    let valid = 'sid=session-1';
    answer = ({ headers }) => (headers?.['cookie'] === valid ? {} : { status: 302, headers: { location: '/login' } });
    const site = createSiteFetch(ctx, { suiteId, scope: 'crawl' });
    expect((await site.fetch(get(`${SITE}/a`))).status).toBe(200);
    valid = 'sid=session-2';
    const both = await Promise.all([site.fetch(get(`${SITE}/b`)), site.fetch(get(`${SITE}/c`))]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect([logins.length, site.wall()]).toEqual([2, null]);
    valid = 'never';
    for (let page = 0; page < 9; page += 1) await site.fetch(get(`${SITE}/${page}`));
    expect(logins.length).toBeLessThanOrEqual(5);
    expect(site.wall()).toContain('site.test is behind a login. It did not accept what is set in “Access to the site”');
  });
});

describe('the words about a wall', () => {
  it.each([
    [{ basic: { username: 'a', password: 'b' } }, `${SITE}/`, 'basic', 'It did not accept what is set'],
    [{ basic: { username: 'a', password: 'b' } }, `${SITE}/`, 'vercel', 'set “Vercel protection bypass”'],
    [{ vercel: { secret: 'a' } }, 'https://pr-1.test/', 'vercel', 'is not sent to pr-1.test'],
  ] as const)('with %j at %s, met by %s: %s', async (secrets, url, wall, words) => {
    const suiteId = await suiteWith(secrets);
    const visit = await visitSite(ctx, { suiteId, url, scope: 'a' });
    const text = explainWall({ wall, address: url, visit });
    expect(text).toContain(words);
  });
});
