import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PASSWORD, startTestApi, type Account, type TestApi } from '../support/api-client.ts';

let api: TestApi;
let ada: Account;
let bob: Account;
beforeAll(async () => {
  api = await startTestApi({ PUBLIC_URL: 'https://gate.example' });
  [ada, bob] = [await api.account('ada'), await api.account('bob')];
});
afterAll(async () => {
  await api.stop();
});

const cookieOf = ({ token }: Account) => ({ cookie: `theme=dark; pixelgate_session=${token}` });

describe('who is calling', () => {
  it('is told by a Bearer token, whatever the case of its scheme', async () => {
    for (const scheme of ['Bearer', 'bearer']) {
      const headers = { authorization: `${scheme} ${ada.token}` };
      const { body } = await api.request('GET', '/api/auth/me', { headers });
      expect(body.user.email).toBe(ada.user.email);
    }
  });

  it('is told by the cookie', async () => {
    const { body } = await api.request('GET', '/api/auth/me', { headers: cookieOf(ada) });
    expect(body.user.email).toBe(ada.user.email);
  });

  it('is told by the Bearer token when there are both, also when it is worthless', async () => {
    const both = await api.request('GET', '/api/auth/me', { token: bob.token, headers: cookieOf(ada) });
    expect(both.body.user.email).toBe(bob.user.email);
    const worthless = await api.request('GET', '/api/auth/me', { token: 'x.y.z', headers: cookieOf(ada) });
    expect(worthless.status).toBe(401);
  });

  it('is told that a token is worth nothing, rather than that it is missing', async () => {
    for (const [method, path] of [
      ['GET', '/api/auth/me'],
      ['POST', '/mcp'],
    ] as const) {
      const { status, body } = await api.request(method, path, { token: 'pgs_expired' });
      expect([status, body.error]).toEqual([401, 'This token is unknown, revoked or expired']);
    }
  });

  it('is unknown without a token', async () => {
    const answer = await api.request('GET', '/api/auth/me');
    expect(answer).toMatchObject({ status: 401, body: { details: { code: 'unauthenticated' } } });
  });
});

describe('the session cookie', () => {
  it('is set by login for browsers only, over https, as long as the token lives', async () => {
    const body = { email: ada.user.email.toUpperCase(), password: PASSWORD };
    const answer = await api.request('POST', '/api/auth/login', { body });
    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(cookie).toContain(`pixelgate_session=${answer.body.token};`);
    for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Path=/', 'Secure', `Max-Age=${7 * 86_400}`]) {
      expect(cookie).toContain(attribute);
    }
  });

  it('is cleared by logout, and its session ends', async () => {
    const account = await api.account();
    await api.request('POST', '/api/auth/logout', { headers: cookieOf(account) });
    expect((await api.request('GET', '/api/auth/me', { token: account.token })).status).toBe(401);

    const answer = await api.request('POST', '/api/auth/logout');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toMatch(/^pixelgate_session=;.*Expires=Thu, 01 Jan 1970/);
  });
});

describe('a request with the cookie that changes something', () => {
  const logout = async (headers: Record<string, string>) =>
    api.request('POST', '/api/auth/logout', { headers: { ...cookieOf(await api.account()), ...headers } });

  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'https://gate.example' },
    { origin: 'https://evil.example' },
    { origin: 'http://gate.example' },
    { origin: 'null' },
  ])('is refused from elsewhere: %j', async (headers) => {
    expect(await logout(headers)).toMatchObject({ status: 403, body: { details: { code: 'foreign_origin' } } });
  });

  it('does not sign a browser in or out from elsewhere, without a cookie either', async () => {
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    const out = await api.request('POST', '/api/auth/logout', { headers: foreign });
    expect([out.status, out.headers.get('set-cookie')]).toEqual([403, null]);
    const body = { email: ada.user.email, password: PASSWORD };
    const into = await api.request('POST', '/api/auth/login', { headers: foreign, body });
    expect([into.status, into.headers.get('set-cookie')]).toEqual([403, null]);
  });

  it.each([{ 'sec-fetch-site': 'same-origin' }, { origin: 'https://gate.example' }])(
    'is taken from our own pages: %j',
    async (headers) => {
      expect((await logout(headers)).status).toBe(200);
    },
  );

  it('is taken from the host that it was sent to, and from what is no browser', async () => {
    expect((await logout({ origin: api.url })).status).toBe(200);
    expect((await logout({})).status).toBe(200);
  });

  it('may come from anywhere when it reads, or carries a Bearer token', async () => {
    const foreign = { 'sec-fetch-site': 'cross-site' };
    const reads = await api.request('GET', '/api/auth/me', { headers: { ...cookieOf(ada), ...foreign } });
    expect(reads.status).toBe(200);
    const bearer = await api.request('POST', '/api/auth/logout', { token: ada.token, headers: foreign });
    expect(bearer.status).toBe(200);
  });
});
