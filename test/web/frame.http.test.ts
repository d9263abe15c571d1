import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Context } from '../../src/context.ts';
import { connect } from '../../src/db/connect.ts';
import { createSuite } from '../../src/suites/suite-life.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { cookieSet, ledTo, postForm } from '../support/web-form.ts';

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const PART = { ...HTML, 'hx-request': 'true' };
const POLICY = "default-src 'self';script-src 'self';style-src 'self';";

let api: TestApi;
let first: Account;
let token: string;
beforeAll(async () => {
  api = await startTestApi();
  first = await api.account();
  ({ token } = first);
});
afterAll(async () => api.stop());

describe('a page that is not there', () => {
  it('offers a search for what was asked, and the suites that the viewer can see, whatever is at the address', async () => {
    const [own, other] = [await api.account('own'), await api.account('other')];
    const mine = await createSuite(api.ctx, own.user, { name: 'My docs', baseUrl: 'http://site.test' });
    const theirs = await createSuite(api.ctx, other.user, { name: 'Secret', baseUrl: 'http://site.test' });
    const open = async (path: string) =>
      String((await api.request('GET', path, { token: own.token, headers: HTML })).body);
    const [missing, hidden] = [await open(`/suites/${randomUUID()}`), await open(`/suites/${theirs.id}`)];
    expect(missing).toContain(`href="/suites/${mine.id}">My docs<`);
    expect(missing).not.toContain('Secret');
    const main = (page: string) => page.slice(page.indexOf('<main'), page.indexOf('</main>'));
    expect(main(hidden)).toBe(main(missing));
    expect(await open('/suite/prices')).toMatch(/action="\/search"[^]*name="q" type="search" value="prices"/);
    expect(await open('/%E0%A4')).not.toContain('action="/search" role="search">\n      <label');
  });
});

describe('a list whose last page went away', () => {
  it('leads to the one that is the last now', async () => {
    // The first account is an administrator.
    const suite = await createSuite(api.ctx, first.user, { name: 'Docs', baseUrl: 'http://site.test' });
    for (const path of ['/admin/accounts', `/suites/${suite.id}/sharing`, '/account/email']) {
      expect(ledTo(await api.request('GET', `${path}?page=2`, { token }))).toEqual([303, path]);
    }
  });
});

describe('what a browser may keep', () => {
  it('is a page only to ask for it anew each time, and for one viewer alone', async () => {
    for (const path of ['/', '/runs', '/account', '/sign-in']) {
      const { headers } = await api.request('GET', path, { token });
      expect(headers.get('cache-control')).toBe('private, no-cache');
      expect(headers.get('vary')).toContain('Cookie');
      expect(headers.get('content-security-policy')).toContain(POLICY);
    }
  });

  it('is a file for good under the name of its version', async () => {
    const [, path = ''] = /href="(\/static\/\w+\/styles\.css)"/.exec((await api.request('GET', '/sign-in')).body) ?? [];
    const { status, headers } = await api.request('GET', path);
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect(headers.get('content-security-policy')).toContain(POLICY);
    expect((await api.request('GET', '/static/other/styles.css')).headers.get('cache-control')).toBe('no-cache');
  });

  it('is no error', async () => {
    for (const path of ['/nothing', '/static/x/nothing.css', '/suites/not-an-id']) {
      const { status, headers } = await api.request('GET', path, { token, headers: HTML });
      expect([status, headers.get('cache-control')]).toEqual([404, 'no-store']);
      expect(headers.get('content-security-policy')).toContain(POLICY);
    }
  });
});

describe('the head of a page', () => {
  it('is what its GET answers, without a body', async () => {
    for (const path of ['/', '/sign-in', '/nothing']) {
      const [get, head] = await Promise.all([
        api.request('GET', path, { token, headers: HTML }),
        api.request('HEAD', path, { token, headers: HTML }),
      ]);
      expect([head.status, head.body]).toEqual([get.status, '']);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    }
  });
});

describe('whoever is not signed in', () => {
  it('is led to the sign-in, and back to the page from there', async () => {
    expect(ledTo(await api.request('GET', '/runs?status=FAILED', { headers: HTML }))).toEqual([
      303,
      '/sign-in?next=%2Fruns%3Fstatus%3DFAILED',
    ]);
  });

  it('is led there from a part that asks for news, too', async () => {
    const headers = { ...PART, 'hx-current-url': `${api.url}/runs?type=PR` };
    const answer = await api.request('GET', '/runs?type=PR&page=1', { headers });
    expect([answer.status, answer.headers.get('hx-redirect')]).toEqual([204, '/sign-in?next=%2Fruns%3Ftype%3DPR']);
  });

  it('is led nowhere else by an address that says it is ours', async () => {
    const headers = { ...PART, 'hx-current-url': 'https://pixelgate.example//evil.example' };
    expect((await api.request('GET', '/', { headers })).headers.get('hx-redirect')).toBe('/sign-in');
  });
});

describe('an error', () => {
  it('is a page for people, with a way on for who is signed in and who is not', async () => {
    const mine = await api.request('GET', '/nothing', { token, headers: HTML });
    expect([mine.status, mine.body.includes('Go to dashboard')]).toEqual([404, true]);
    const theirs = await api.request('GET', '/nothing', { headers: HTML });
    expect([theirs.status, theirs.body.includes('href="/sign-in"')]).toEqual([404, true]);
  });

  it('is JSON for programs', async () => {
    expect((await api.request('GET', '/nothing')).body.details.code).toBe('not_found');
    expect((await api.request('GET', '/api/nothing', { headers: HTML })).body.details.code).toBe('not_found');
  });

  it('is told to people whose method or whose form cannot be', async () => {
    const put = await api.request('PUT', '/account', { token, headers: HTML });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(put.body).toContain('<h1>Method not allowed</h1>');
    const id = '00000000-0000-4000-8000-000000000000';
    const typed = await api.request('GET', `/suites/${id}/sharing/${id}/revoke`, { token, headers: HTML });
    expect([typed.status, typed.body.includes(`href="/suites/${id}/sharing">Go back`)]).toEqual([405, true]);
    const large = await postForm(api, '/sign-in', { email: 'x'.repeat(1_100_000) });
    expect([large.status, large.body.includes('<h1>Request too large</h1>')]).toEqual([413, true]);
    const fields = Array.from({ length: 20_001 }, (_, n): [string, string] => [`f${n}`, '']);
    expect((await postForm(api, '/sign-in', fields)).status).toBe(413);
  });

  it('says that a form was sent as something else, and does not take it for an empty one', async () => {
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain']) {
      const answer = await postForm(api, '/sign-in', { email: 'a@example.com' }, { headers: { 'content-type': type } });
      expect([answer.status, answer.body.includes('<h1>Unsupported format</h1>')]).toEqual([415, true]);
    }
  });

  it('says in plain words what of a form was left out or sent twice', async () => {
    const { status, body } = await postForm(api, '/register', [
      ['email', 'a@example.com'],
      ['email', 'b@example.com'],
      ['name', ''],
    ]);
    expect(status).toBe(400);
    expect(body).toContain('Was sent more than once');
    expect(body).toContain('Must not be empty');
    expect(body).not.toContain('Invalid input');
  });

  it('of our own making has the number of the request, and nothing of its cause', async () => {
    const broken = await startTestApi({}, (ctx) => ({
      ...ctx,
      clock: {
        now: () => {
          throw new Error('the secret cause');
        },
      },
    }));
    const answer = await broken.request('GET', '/', { headers: { ...HTML, cookie: 'pixelgate_session=x.y.z' } });
    expect(answer.status).toBe(500);
    expect(answer.body).toContain(answer.headers.get('x-request-id') ?? 'no id');
    expect(answer.body).not.toContain('secret cause');
    await broken.stop();
  });

  it('of a database that is away asks nobody to sign in', async () => {
    const held: { ctx?: Context } = {};
    const broken = await startTestApi({}, (ctx) => (held.ctx = { ...ctx }));
    const person = await broken.account();
    const away = connect('postgresql://127.0.0.1:9/nowhere', { maxConnections: 1, log: broken.ctx.log });
    Object.assign(held.ctx ?? {}, { db: away });
    const { status, body } = await broken.request('GET', '/runs?type=PR', { token: person.token, headers: HTML });
    await away.destroy();
    await broken.stop();
    expect([status, body.includes('>Try again<'), body.includes('href="/sign-in"')]).toEqual([503, true, false]);
    expect(body.replaceAll('&#x3D;', '=')).toContain('href="/runs?type=PR"');
  });

  it('of a part is a sentence, and not a page within the page', async () => {
    const answer = await api.request('GET', '/suites/not-an-id', { token, headers: PART });
    expect([answer.status, answer.body.includes('<html')]).toEqual([404, false]);
    expect(answer.body).toContain('role="alert"');
  });
});

describe('what an action said', () => {
  it('is shown once', async () => {
    const answer = await postForm(api, '/account/name', { name: 'Ada' }, { token });
    const cookie = cookieSet(answer, 'pixelgate_notice')?.split(';')[0] ?? '';
    const shown = await api.request('GET', '/account', { token, headers: { cookie } });
    expect(shown.body.match(/Name updated/g)).toHaveLength(1);
    expect(cookieSet(shown, 'pixelgate_notice')).toMatch(/^pixelgate_notice=; Path=\/; Expires=Thu, 01 Jan 1970/);
  });

  it('is cut where a browser would not keep it', async () => {
    const named = { name: '名'.repeat(200), baseUrl: 'http://site.test', viewports: 'default' };
    const [, suite = ''] = ledTo(await postForm(api, '/suites/new', named, { token }));
    const answer = await postForm(api, `${suite}/add-page`, { address: `/${'é'.repeat(300)}` }, { token });
    expect(answer.status).toBe(303);
    expect(Buffer.byteLength(cookieSet(answer, 'pixelgate_notice') ?? '')).toBeLessThan(4096);
  });
});

describe('signing in with GitHub', () => {
  const people = async (path: string, session?: string) =>
    fetch(api.url + path, {
      headers: { ...HTML, ...(session === undefined ? {} : { authorization: `Bearer ${session}` }) },
      redirect: 'manual',
    });

  it('tells people of its failure on a page that leads back, and programs in JSON', async () => {
    const answer = await people('/api/auth/github/callback?code=x&state=y');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await answer.text()).toContain('href="/sign-in"');
    expect(await (await people('/api/auth/github', token)).text()).toContain('href="/account"');
    const program = await api.request('GET', '/api/auth/github/callback?code=x&state=y');
    expect(program.body.details.code).toBe('github_not_configured');
  });
});
