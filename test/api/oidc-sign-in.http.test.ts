import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { GroupRole } from '../../src/text/oidc-setting.ts';
import { codeOf, startTestApi, type Answer, type TestApi } from '../support/api-client.ts';
import {
  answerOf,
  comeBack,
  issuerEnvironment,
  leave,
  sessionIn,
  startIssuer,
  type Issuer,
  type Person,
} from '../support/oidc-issuer.ts';

const PUBLIC_URL = 'http://pixelgate.test';

let issuer: Issuer;
let api: TestApi;
beforeAll(async () => {
  issuer = await startIssuer([`${PUBLIC_URL}/api/auth/oidc/callback`]);
  api = await startTestApi({ ...issuerEnvironment(issuer.url), PUBLIC_URL });
});
afterAll(async () => {
  await api.stop();
  await issuer.stop();
});

async function signIn(person: Person, { to = api, token }: { to?: TestApi; token?: string } = {}): Promise<Answer> {
  issuer.person = person;
  const journey = await leave(to, token);
  return comeBack(to, await answerOf(to, journey), journey, token);
}

async function meOf(answer: Answer, to = api) {
  expect([answer.status, answer.headers.get('location')]).toEqual([302, `${PUBLIC_URL}/`]);
  return (await to.request('GET', '/api/auth/me', { token: sessionIn(answer.headers) })).body.user;
}

const ada = { sub: 'ada', email: 'ada@example.org', email_verified: true, name: 'Ada', preferred_username: 'ada.l' };

describe('leaving for the issuer', () => {
  it('asks for a code, with a state, a nonce and a PKCE challenge', async () => {
    const { location, cookie } = await leave(api);
    const { origin, searchParams } = new URL(location);
    expect(origin).toBe(issuer.url);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'pixelgate',
      redirect_uri: `${PUBLIC_URL}/api/auth/oidc/callback`,
      response_type: 'code',
      scope: 'openid email profile groups',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(cookie).not.toContain(searchParams.get('nonce'));
  });

  it('is a 404 where no issuer is set', async () => {
    const without = await startTestApi();
    try {
      expect(codeOf(await without.request('GET', '/api/auth/oidc'))).toEqual([404, 'oidc_not_configured']);
      expect(codeOf(await without.request('GET', '/api/auth/oidc/callback'))).toEqual([404, 'oidc_not_configured']);
    } finally {
      await without.stop();
    }
  });
});

describe('coming back', () => {
  it('makes an account of a newcomer, and signs the same person in again, whatever their address is by now', async () => {
    const user = await meOf(await signIn(ada));
    expect(user).toMatchObject({ email: 'ada@example.org', name: 'Ada' });
    expect((await meOf(await signIn({ ...ada, email: 'ada@elsewhere.example' }))).id).toBe(user.id);
    const row = await api.ctx.db('accounts').where({ user_id: user.id }).first();
    expect(row).toMatchObject({ provider: 'oidc', providerAccountId: `${issuer.url} ada`, login: 'ada.l' });
    expect(row).toMatchObject({ accessToken: null, refreshToken: null });
  });

  it('leads to where the person wanted to go, if that is here', async () => {
    issuer.person = ada;
    for (const [next, path] of [
      ['/runs', '/runs'],
      ['//evil.example', '/'],
    ] as const) {
      const journey = await leave(api, undefined, next);
      const answer = await comeBack(api, await answerOf(api, journey), journey);
      expect(answer.headers.get('location')).toBe(PUBLIC_URL + path);
    }
  });

  it('finds the account of a verified address, and gives none away for one that is not verified', async () => {
    const { user } = await api.account('bob');
    const impostor = { sub: 'impostor', email: user.email, email_verified: false };
    expect(codeOf(await signIn(impostor))).toEqual([409, 'email_taken']);
    expect(codeOf(await signIn({ sub: 'impostor', email: user.email }))).toEqual([409, 'email_taken']);
    expect((await meOf(await signIn({ sub: 'bob', email: user.email.toUpperCase(), email_verified: true }))).id).toBe(
      user.id,
    );
  });

  it('links the account of who is signed in, and takes none from another', async () => {
    const [first, second] = [await api.account('cleo'), await api.account('dora')];
    const cleo = { sub: 'cleo', email: 'cleo@elsewhere.example', email_verified: false };
    expect((await meOf(await signIn(cleo, { token: first.token }))).id).toBe(first.user.id);
    expect((await meOf(await signIn(cleo))).id).toBe(first.user.id);
    expect(codeOf(await signIn(cleo, { token: second.token }))).toEqual([409, 'account_taken']);
  });

  it('refuses who sends no address', async () => {
    expect(codeOf(await signIn({ sub: 'hidden' }))).toEqual([403, 'email_missing']);
  });

  it('says so when the person declines', async () => {
    issuer.person = null;
    const journey = await leave(api);
    expect(codeOf(await comeBack(api, await answerOf(api, journey), journey))).toEqual([403, 'oidc_refused']);
  });
});

describe('what did not begin here', () => {
  const lapsed = [400, 'oidc_sign_in_lapsed'];

  it('is refused: another state, no cookie, a forged one, one of another sign-in, one that is too old', async () => {
    issuer.person = ada;
    const [journey, other] = [await leave(api), await leave(api)];
    const path = await answerOf(api, journey);
    expect(codeOf(await comeBack(api, path.replace(/state=[\w-]+/, 'state=other'), journey))).toEqual(lapsed);
    for (const cookie of ['', other.cookie, `${journey.cookie.slice(0, -4)}AAAA`]) {
      expect(codeOf(await comeBack(api, path, { cookie }))).toEqual(lapsed);
    }
    api.advance(10 * 60_000);
    expect(codeOf(await comeBack(api, path, journey))).toEqual(lapsed);
  });

  it('is refused: the answer of an earlier sign-in, sent once more', async () => {
    issuer.person = ada;
    const journey = await leave(api);
    const path = await answerOf(api, journey);
    await meOf(await comeBack(api, path, journey));
    expect(codeOf(await comeBack(api, path, journey))).toEqual(lapsed);
  });

  it('is refused: a token with another nonce', async () => {
    issuer.person = ada;
    const journey = await leave(api);
    const location = journey.location.replace(/nonce=[\w-]+/, 'nonce=another');
    const path = await answerOf(api, { ...journey, location });
    expect(codeOf(await comeBack(api, path, journey))).toEqual([400, 'oidc_answer_invalid']);
  });

  it('is refused: an answer that names another issuer', async () => {
    issuer.person = ada;
    const journey = await leave(api);
    const path = (await answerOf(api, journey)).replace(/iss=[^&]+/, 'iss=http%3A%2F%2Fforeign.example');
    expect(path).toContain('foreign.example');
    expect(codeOf(await comeBack(api, path, journey))).toEqual([400, 'oidc_answer_invalid']);
  });

  it('is refused for a session that is another person’s by now', async () => {
    const [first, second] = [await api.account('gus'), await api.account('hal')];
    issuer.person = { sub: 'gus', email: 'gus@example.org', email_verified: true };
    const journey = await leave(api, first.token);
    const path = await answerOf(api, journey);
    expect(codeOf(await comeBack(api, path, journey, second.token))).toEqual(lapsed);
    expect(codeOf(await comeBack(api, path, journey))).toEqual(lapsed);
  });
});

describe('the domains that are let in', () => {
  let closed: TestApi;
  beforeAll(async () => {
    closed = await startTestApi({
      ...issuerEnvironment(issuer.url),
      PUBLIC_URL,
      OIDC_ALLOWED_DOMAINS: 'acme.example, acme.test',
      ALLOW_REGISTRATION: 'false',
      PASSWORD_SIGN_IN: 'false',
    });
  });
  afterAll(async () => closed.stop());
  const enter = async (person: Person) => signIn(person, { to: closed });

  it('get an account although registration is closed, and the first one administers', async () => {
    const user = await meOf(await enter({ sub: 'eve', email: 'Eve@ACME.test', email_verified: true }), closed);
    const row = await closed.ctx.db('users').where({ id: user.id }).first('administrator');
    expect([user.email, row.administrator]).toEqual(['Eve@ACME.test', 'NAMED']);
  });

  it.each([
    ['of another domain', 'eve@elsewhere.example', true, 'domain_not_allowed'],
    ['of a domain below', 'eve@mail.acme.example', true, 'domain_not_allowed'],
    ['that nobody verified', 'finn@acme.example', false, 'email_unverified'],
  ])('are not those of an address %s', async (_which, email, verified, code) => {
    expect(codeOf(await enter({ sub: 'other', email, email_verified: verified }))).toEqual([403, code]);
  });

  it('lock out who was let in, once their address is another', async () => {
    const person = { sub: 'gone', email: 'gone@acme.example', email_verified: true };
    await meOf(await enter(person), closed);
    const answer = await enter({ ...person, email: 'gone@elsewhere.example' });
    expect(codeOf(answer)).toEqual([403, 'domain_not_allowed']);
    expect(answer.body.error).toBe(
      'gone@elsewhere.example may not sign in here. Only email addresses of acme.example, acme.test may.',
    );
  });

  it.each([
    ['/api/auth/login', { email: 'eve@acme.test', password: 'a password' }],
    ['/api/auth/register', { email: 'eve@acme.test', password: 'a password' }],
    ['/api/auth/forgot-password', { email: 'eve@acme.test' }],
    ['/api/auth/reset-password', { token: 'a token', password: 'a password' }],
  ])('and no passwords: %s says so', async (path, body) => {
    expect(codeOf(await closed.request('POST', path, { body }))).toEqual([403, 'password_sign_in_off']);
  });

  it('and no passwords: neither do the pages ask for one', async () => {
    const signInPage = (await closed.request('GET', '/sign-in')).body;
    expect([signInPage.includes('Sign in with Acme'), signInPage.includes('type="password"')]).toEqual([true, false]);
    for (const page of ['/register', '/forgot-password', '/reset-password?token=x']) {
      const answer = await closed.request('GET', page);
      expect([answer.status, answer.body.includes('Passwords are turned off')]).toEqual([403, true]);
    }
  });
});

describe('groups', () => {
  const CLOSED_SUITE = '00000000-0000-4000-8000-000000000000';
  let grouped: TestApi;
  let suiteId: string;
  let ownerToken: string;
  const groupRoles: GroupRole[] = [];
  beforeAll(async () => {
    grouped = await startTestApi({ ...issuerEnvironment(issuer.url), PUBLIC_URL }, (ctx) => {
      const oidc = ctx.config.oidc && { ...ctx.config.oidc, groupRoles };
      return { ...ctx, config: { ...ctx.config, oidc } };
    });
    const owner = await grouped.account('owner');
    ownerToken = owner.token;
    const body = { name: 'Docs', baseUrl: 'http://site.test' };
    suiteId = (await grouped.request('POST', '/api/test-suites', { token: ownerToken, body })).body.id;
    groupRoles.push(
      { group: 'Admins', role: 'ADMINISTRATOR', suiteId: null },
      { group: 'design', role: 'VIEWER', suiteId },
      { group: 'qa', role: 'EDITOR', suiteId },
      { group: 'qa', role: 'EDITOR', suiteId: CLOSED_SUITE },
    );
  });
  afterAll(async () => grouped.stop());

  async function enter(groups: string[] | undefined) {
    const person = { sub: 'ida', email: 'ida@example.org', email_verified: true, ...(groups && { groups }) };
    const answer = await signIn(person, { to: grouped });
    const user = await meOf(answer, grouped);
    const suite = await grouped.request('GET', `/api/test-suites/${suiteId}`, { token: sessionIn(answer.headers) });
    const { administrator } = await grouped.ctx.db('users').where({ id: user.id }).first('administrator');
    return { id: user.id, role: suite.body.access?.role ?? null, administrator };
  }

  it('give the highest of their roles, and take it again, at each sign-in', async () => {
    expect(await enter(['design', 'qa'])).toMatchObject({ role: 'EDITOR', administrator: null });
    expect(await enter(['design'])).toMatchObject({ role: 'VIEWER' });
    expect(await enter(['Admins'])).toMatchObject({ role: null, administrator: 'GROUP' });
    expect(await enter(undefined)).toMatchObject({ role: null, administrator: null });
  });

  it('leave alone what a person gave by hand', async () => {
    const { id } = await enter(['design']);
    const body = { userId: id, role: 'REVIEWER' };
    await grouped.request('POST', `/api/test-suites/${suiteId}/access`, { token: ownerToken, body });
    expect(await enter([])).toMatchObject({ role: 'REVIEWER' });
    expect(await enter(['qa'])).toMatchObject({ role: 'REVIEWER' });
  });
});

describe('an issuer that is down', () => {
  it('is named on the sign-in page and in the answer, and everything else works', async () => {
    const gone = await startIssuer([]);
    await gone.stop();
    const alone = await startTestApi(issuerEnvironment(gone.url));
    try {
      const page = await alone.request('GET', '/sign-in');
      expect([page.status, page.body.includes('Acme can’t be reached right now')]).toEqual([200, true]);
      expect(page.body).toContain('type="password"');
      expect(codeOf(await alone.request('GET', '/api/auth/oidc'))).toEqual([503, 'issuer_unreachable']);
      const shown = await fetch(`${alone.url}/api/auth/oidc`, { headers: { accept: 'text/html' } });
      expect(await shown.text()).toContain('reach Acme right now');
      expect((await alone.account()).token).not.toBe('');
    } finally {
      await alone.stop();
    }
  });

  it('is not believed when it says that it is another one', async () => {
    const elsewhere = issuer.url.replace('127.0.0.1', 'localhost');
    const fooled = await startTestApi(issuerEnvironment(elsewhere));
    try {
      expect(codeOf(await fooled.request('GET', '/api/auth/oidc'))).toEqual([503, 'issuer_unreachable']);
    } finally {
      await fooled.stop();
    }
  });
});

describe('an issuer that was down before the clock was set back', () => {
  it('is asked again', async () => {
    const own = await startTestApi({ ...issuerEnvironment(issuer.url), PUBLIC_URL });
    try {
      issuer.answer = (_req, res) => Boolean(res.writeHead(503).end());
      expect(codeOf(await own.request('GET', '/api/auth/oidc'))).toEqual([503, 'issuer_unreachable']);
      issuer.answer = () => false;
      own.advance(-3 * 3_600_000);
      expect((await own.request('GET', '/api/auth/oidc')).status).toBe(302);
    } finally {
      issuer.answer = () => false;
      await own.stop();
    }
  });
});

describe('an issuer that does not come to an end', () => {
  const DISCOVERY = '/.well-known/openid-configuration';
  const JSON_TYPE = { 'content-type': 'application/json' };
  let odd: TestApi;
  beforeEach(async () => {
    odd = await startTestApi({ ...issuerEnvironment(issuer.url), PUBLIC_URL });
  });
  afterEach(async () => {
    issuer.answer = () => false;
    await odd.stop();
  });

  it('is not believed when it describes itself in megabytes', async () => {
    const description = await (await fetch(issuer.url + DISCOVERY)).text();
    issuer.answer = (req, res) => {
      if (req.url !== DISCOVERY) return false;
      res.writeHead(200, JSON_TYPE).end(description + ' '.repeat(8 * 1024 * 1024));
      return true;
    };
    expect(codeOf(await odd.request('GET', '/api/auth/oidc'))).toEqual([503, 'issuer_unreachable']);
  });

  it.each([
    ['/token', 'stops', () => {}],
    ['/jwks', 'stops', () => {}],
    ['/me', 'stops', () => {}],
    ['/token', 'hangs up', (res: ServerResponse) => res.destroy()],
  ])('is said not to answer when %s begins an answer and %s', async (path, how, then) => {
    issuer.person = ada;
    const journey = await leave(odd);
    const back = await answerOf(odd, journey);
    const asking = odd.ctx.discovered.get(issuer.url)?.asking;
    if (how === 'stops') Object.assign((await asking) ?? {}, { timeout: 0.2 });
    issuer.answer = (req, res) => {
      if (req.url !== path) return false;
      res.writeHead(200, JSON_TYPE).write('{', () => then(res));
      return true;
    };
    expect(codeOf(await comeBack(odd, back, journey))).toEqual([503, 'issuer_unreachable']);
  });
});
