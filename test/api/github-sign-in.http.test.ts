import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { codeOf, PASSWORD, startTestApi, type Answer, type TestApi } from '../support/api-client.ts';
import {
  apiOfGitHub,
  comeBack,
  expectSignIn,
  sessionOf,
  SIGN_IN_ENVIRONMENT,
  startSignIn,
  type Person,
} from '../support/github-people.ts';
import { nock, stubHttp } from '../support/stub-http.ts';

stubHttp();

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(SIGN_IN_ENVIRONMENT);
});
afterEach(() => {
  nock.cleanAll();
});
afterAll(async () => {
  await api.stop();
});

const verified = (email: string) => [{ email, primary: true, verified: true }];

async function signIn(person: Person, token?: string): Promise<Answer> {
  expectSignIn(person);
  return comeBack(api, await startSignIn(api, token), { token });
}

async function meOf(answer: Answer) {
  expect([answer.status, answer.headers.get('location')]).toEqual([302, `${api.ctx.config.publicUrl}/`]);
  const { body } = await api.request('GET', '/api/auth/me', { token: sessionOf(answer) });
  return body.user;
}

const accountOf = (person: Person) =>
  api.ctx
    .db('accounts')
    .where({ provider: 'github', provider_account_id: String(person.id) })
    .first();

describe('going to GitHub', () => {
  it('leads there with a state and a PKCE challenge, and keeps what proves them in a cookie of its own', async () => {
    const answer = await api.request('GET', '/api/auth/github');
    expect(answer.status).toBe(302);
    const { origin, pathname, searchParams } = new URL(answer.headers.get('location') ?? '');
    expect(origin + pathname).toBe('http://github.test/login/oauth/authorize');
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'Iv1.client',
      redirect_uri: `${api.ctx.config.publicUrl}/api/auth/github/callback`,
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^pixelgate_sign_in=v1\.[\w-]+; Max-Age=600; Path=\/api\/auth; .*HttpOnly; SameSite=Lax$/);
    expect(cookie).not.toContain(searchParams.get('state'));
  });
});

describe('coming back from GitHub', () => {
  const ada = { id: 1, login: 'ada', name: 'Ada', emails: verified('ada@example.org') };

  it('makes a user of a newcomer, signs them in, and keeps the tokens sealed', async () => {
    const asked = expectSignIn(ada, { refresh_token: 'ghr_ada', expires_in: 28_800 });
    const start = await startSignIn(api);
    const user = await meOf(await comeBack(api, start));
    expect(user).toMatchObject({ email: 'ada@example.org', name: 'Ada', image: 'http://github.test/ada.png' });

    const [grant = {}] = asked;
    expect(grant).toMatchObject({
      client_id: 'Iv1.client',
      client_secret: 'client-secret',
      code: 'the-code',
      redirect_uri: `${api.ctx.config.publicUrl}/api/auth/github/callback`,
    });
    const challenge = createHash('sha256').update(String(grant['code_verifier'])).digest('base64url');
    expect(challenge).toBe(start.location.searchParams.get('code_challenge'));

    const account = await accountOf(ada);
    expect(account).toMatchObject({ userId: user.id, type: 'oauth', tokenType: 'bearer' });
    expect(account.expiresAt).toBeGreaterThan(Date.now() / 1000);
    expect(JSON.stringify(account)).not.toMatch(/gh[ur]_/);
    const stored = await api.ctx.db('users').where({ id: user.id }).first();
    expect([stored.passwordHash, stored.emailVerified]).toEqual([null, expect.any(Date)]);
  });

  it.each([
    ['/runs/1?mode=swipe', '/runs/1?mode=swipe'],
    ['//evil.example', '/'],
    ['https://evil.example/', '/'],
    ['/.//evil.example', '/'],
  ])('leads who wanted to see %s to %s', async (next, path) => {
    expectSignIn(ada);
    const answer = await comeBack(api, await startSignIn(api, undefined, next));
    expect([answer.status, answer.headers.get('location')]).toEqual([302, api.ctx.config.publicUrl + path]);
  });

  it('signs the same person in again, whatever e-mail address they have by now', async () => {
    const before = await meOf(await signIn(ada));
    const after = await meOf(await signIn({ ...ada, emails: verified('ada@elsewhere.example') }));
    expect(after).toEqual(before);
  });

  it('lets nobody in by password whose account has none', async () => {
    const { email } = await meOf(await signIn(ada));
    const answer = await api.request('POST', '/api/auth/login', { body: { email, password: PASSWORD } });
    expect(codeOf(answer)).toEqual([401, 'invalid_credentials']);
  });

  it('gives who shows no address one that gets no mail', async () => {
    const user = await meOf(await signIn({ id: 2, login: 'hidden' }));
    expect(user).toMatchObject({ email: '2+hidden@users.noreply.github.invalid', name: 'hidden' });
  });

  it('makes no user where registration is closed', async () => {
    const closed = await startTestApi({ ...SIGN_IN_ENVIRONMENT, ALLOW_REGISTRATION: 'false' });
    try {
      expectSignIn({ id: 3, login: 'late' });
      expect(codeOf(await comeBack(closed, await startSignIn(closed)))).toEqual([403, 'registration_closed']);
      expect(await closed.ctx.db('users').select()).toEqual([]);
    } finally {
      await closed.stop();
    }
  });
});

describe('coming from an invitation where registration is closed', () => {
  let closed: TestApi;
  let suiteId: string;
  let token: string;
  const closing = { allowRegistration: true };
  beforeAll(async () => {
    closed = await startTestApi(SIGN_IN_ENVIRONMENT, (ctx) => ({
      ...ctx,
      config: Object.assign(closing, ctx.config),
    }));
    const owner = await closed.account('owner');
    closing.allowRegistration = false;
    const body = { name: 'Docs', baseUrl: 'http://site.test' };
    suiteId = (await closed.request('POST', '/api/test-suites', { token: owner.token, body })).body.id;
    token = owner.token;
  });
  afterAll(async () => closed.stop());

  async function pathOf(body: object): Promise<string> {
    const answer = await closed.request('POST', `/api/test-suites/${suiteId}/invitations`, { token, body });
    return new URL(answer.body.url).pathname;
  }
  async function comeFrom(path: string, person: Person): Promise<Answer> {
    expectSignIn(person);
    return comeBack(closed, await startSignIn(closed, undefined, path));
  }
  const roleOf = async (answer: Answer) =>
    (await closed.request('GET', `/api/test-suites/${suiteId}`, { token: sessionOf(answer) })).body.access.role;

  it('makes a user with the role, leads to the suite, and uses the invitation up', async () => {
    const path = await pathOf({ role: 'EDITOR' });
    const answer = await comeFrom(path, { id: 40, login: 'invited', emails: verified('invited@example.org') });
    expect(answer.headers.get('location')).toBe(`${closed.ctx.config.publicUrl}/suites/${suiteId}`);
    expect(await roleOf(answer)).toBe('EDITOR');
    const late = await comeFrom(path, { id: 41, login: 'late', emails: verified('late@example.org') });
    expect(codeOf(late)).toEqual([403, 'registration_closed']);
  });

  it('of an address needs it among those that GitHub has verified', async () => {
    const path = await pathOf({ email: 'bob@example.org' });
    const refused = await comeFrom(path, { id: 42, login: 'eve', emails: verified('eve@example.org') });
    expect(codeOf(refused)).toEqual([403, 'registration_closed']);
    const emails = [...verified('private@example.org'), { email: 'Bob@example.org', primary: false, verified: true }];
    const answer = await comeFrom(path, { id: 43, login: 'bob', emails });
    expect(await roleOf(answer)).toBe('VIEWER');
    const me = await closed.request('GET', '/api/auth/me', { token: sessionOf(answer) });
    expect(me.body.user.email).toBe('Bob@example.org');
  });
});

describe('an account that has a password', () => {
  it('is found by an e-mail address that GitHub has verified', async () => {
    const { user } = await api.account('bob');
    const emails = [
      { email: 'other@example.org', primary: true, verified: true },
      { email: user.email.toUpperCase(), primary: false, verified: true },
    ];
    expect((await meOf(await signIn({ id: 10, login: 'bob', emails }))).id).toBe(user.id);
  });

  it.each([
    ['that is not verified', (email: string) => ({ emails: [{ email, primary: true, verified: false }] })],
    ['of which GitHub says nothing', (email: string) => ({ email })],
  ])('is not given to who shows an address %s', async (_how, shown) => {
    const { user } = await api.account('cleo');
    const impostor = { id: 11, login: 'impostor', ...shown(user.email) };
    expect(codeOf(await signIn(impostor))).toEqual([409, 'email_taken']);
    expect(await accountOf(impostor)).toBeNull();
  });

  it('is linked by its owner, who is signed in, whatever address GitHub has', async () => {
    const { user, token } = await api.account('dora');
    const dora = { id: 12, login: 'dora', emails: verified('dora@elsewhere.example') };
    expect((await meOf(await signIn(dora, token))).id).toBe(user.id);
    expect((await meOf(await signIn(dora))).id).toBe(user.id);
  });

  it('does not take a GitHub account from another user', async () => {
    const [first, second] = [await api.account('eve'), await api.account('finn')];
    const shared = { id: 13, login: 'shared' };
    await meOf(await signIn(shared, first.token));
    expect(codeOf(await signIn(shared, second.token))).toEqual([409, 'account_taken']);
    expect(await accountOf(shared)).toMatchObject({ userId: first.user.id });
  });

  it('is not linked for a session that ended, or that is another user by now', async () => {
    const [first, second] = [await api.account('gus'), await api.account('hal')];
    for (const token of [undefined, second.token]) {
      const start = await startSignIn(api, first.token);
      expect(codeOf(await comeBack(api, start, { token }))).toEqual([400, 'github_sign_in_lapsed']);
    }
  });
});

describe('what did not begin here', () => {
  const lapsed = [400, 'github_sign_in_lapsed'];

  it('is refused without asking GitHub: no cookie, another state, a forged cookie, no code', async () => {
    const start = await startSignIn(api);
    const other = await startSignIn(api);
    for (const wrong of [
      { ...start, cookie: '' },
      { ...start, cookie: other.cookie },
      { ...start, cookie: `${start.cookie.slice(0, -4)}AAAA` },
      { ...start, cookie: 'pixelgate_sign_in=v1.e30' },
    ]) {
      expect(codeOf(await comeBack(api, wrong))).toEqual(lapsed);
    }
    expect(codeOf(await comeBack(api, start, { query: 'x=y' }))).toEqual(lapsed);
    expect(codeOf(await api.request('GET', '/api/auth/github/callback'))).toEqual(lapsed);
  });

  it('is refused after ten minutes', async () => {
    const start = await startSignIn(api);
    api.advance(10 * 60_000);
    expect(codeOf(await comeBack(api, start))).toEqual(lapsed);
    api.advance(-10 * 60_000);
  });

  it('takes the cookie away, whatever comes of it', async () => {
    const answer = await comeBack(api, { ...(await startSignIn(api)), location: new URL('http://x/?state=other') });
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^pixelgate_sign_in=; Path=\/api\/auth; /)]);
  });
});

describe('when GitHub does not play along', () => {
  const come = async (query?: string) => comeBack(api, await startSignIn(api), query === undefined ? {} : { query });

  it('says so when the person refused', async () => {
    expect(codeOf(await come('error=access_denied'))).toEqual([403, 'github_refused']);
  });

  it('says so when the code was used', async () => {
    apiOfGitHub().post('/login/oauth/access_token').reply(200, { error: 'bad_verification_code' });
    expect(codeOf(await come())).toEqual([400, 'github_sign_in_lapsed']);
  });

  it.each([500, 502, 429])('asks to come again when it answers %i', async (status) => {
    apiOfGitHub().post('/login/oauth/access_token').reply(status, 'no');
    const answer = await come();
    expect(codeOf(answer)).toEqual([503, 'github_unavailable']);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('logs no secret of anybody, whatever comes of it', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
    const logging = await startTestApi(SIGN_IN_ENVIRONMENT, (ctx) => ({ ...ctx, log }));
    try {
      apiOfGitHub().post('/login/oauth/access_token').reply(502, 'no');
      await comeBack(logging, await startSignIn(logging));
      expectSignIn({ id: 20, login: 'zoe' });
      const { headers } = await comeBack(logging, await startSignIn(logging));
      expect(headers.get('location')).not.toBeNull();
      expect(lines.join('')).toContain('GitHub did not respond');
      expect(lines.join('')).not.toMatch(/client-secret|the-code|ghu_zoe/);
    } finally {
      await logging.stop();
    }
  });

  it.each([400, 404])('takes %i for a refusal', async (status) => {
    apiOfGitHub().post('/login/oauth/access_token').reply(status, { error: 'Not Found' });
    expect(codeOf(await come())).toEqual([400, 'github_sign_in_lapsed']);
  });

  it('asks to come again when it drops the connection', async () => {
    apiOfGitHub().post('/login/oauth/access_token').replyWithError('socket hang up');
    expect(codeOf(await come())).toEqual([503, 'github_unavailable']);
  });
});
