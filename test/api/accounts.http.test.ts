import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashOneTimeToken } from '../../src/auth/one-time-token.ts';
import { redeemSignInLink } from '../../src/auth/sign-in-link.ts';
import { PASSWORD, startTestApi, type Account, type TestApi } from '../support/api-client.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(async () => {
  await api.stop();
});

const register = (body: unknown) => api.request('POST', '/api/auth/register', { body });
const logIn = (email: string, password: string) =>
  api.request('POST', '/api/auth/login', { body: { email, password } });
const fieldsOf = (answer: { body: any }): string[] =>
  answer.body.details.issues.map((issue: { path: string }) => issue.path);

describe('registering', () => {
  it('answers the user without the password, a token that works, and the cookie', async () => {
    const answer = await register({ email: '  Ada@Example.com ', password: PASSWORD, name: ' Ada ' });
    expect(answer.status).toBe(201);
    expect(answer.body.user).toMatchObject({ email: 'Ada@Example.com', name: 'Ada', image: null });
    expect(JSON.stringify(answer.body)).not.toMatch(/password/i);
    expect(answer.headers.get('set-cookie')).toContain(`pixelgate_session=${answer.body.token}`);
    const me = await api.request('GET', '/api/auth/me', { token: answer.body.token });
    expect(me.body.user).toEqual(answer.body.user);
  });

  it('needs no name', async () => {
    expect((await register({ email: 'nameless@example.com', password: PASSWORD })).body.user.name).toBeNull();
  });

  it.each([
    [{}, ['email', 'password']],
    [{ email: 'x', password: PASSWORD }, ['email']],
    [{ email: 'a@example.com', password: 'short' }, ['password']],
    [{ email: 'a@example.com', password: 'x'.repeat(73) }, ['password']],
    [{ email: 'a@example.com', password: '\u00e9'.repeat(37) }, ['password']],
    [{ email: 1, password: PASSWORD }, ['email']],
    [{ email: 'a@example.com', password: PASSWORD, name: 5 }, ['name']],
  ])('%j names what is wrong', async (body, fields) => {
    const answer = await register(body);
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual(fields);
  });

  it('is refused for an address that has an account, in any case', async () => {
    await register({ email: 'taken@example.com', password: PASSWORD });
    const answer = await register({ email: 'TAKEN@example.com', password: PASSWORD });
    expect(answer).toMatchObject({ status: 409, body: { details: { code: 'email_taken' } } });
  });

  it('is refused where registration is closed', async () => {
    const closed = await startTestApi({ ALLOW_REGISTRATION: 'false' });
    try {
      const body = { email: 'a@example.com', password: PASSWORD };
      const answer = await closed.request('POST', '/api/auth/register', { body });
      expect(answer).toMatchObject({ status: 403, body: { details: { code: 'registration_closed' } } });
    } finally {
      await closed.stop();
    }
  });
});

describe('logging in', () => {
  it('answers the same to a wrong password and to an unknown address', async () => {
    const { user } = await api.account('bob');
    const wrong = await logIn(user.email, 'wrong password');
    const unknown = await logIn('nobody@example.com', PASSWORD);
    expect(wrong.status).toBe(401);
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body]);
    expect((await logIn(user.email, PASSWORD)).status).toBe(200);
  });
});

describe('a forgotten password', () => {
  /** Takes the place of the email that a worker would send. */
  async function resetTokenFor({ user }: Account): Promise<string> {
    const token = `token-of-${user.id}`;
    const expires_at = new Date(api.ctx.clock.now().getTime() + 3_600_000);
    await api.ctx
      .db('password_reset_tokens')
      .insert({ user_id: user.id, token_hash: hashOneTimeToken(token), expires_at });
    return token;
  }

  const reset = (token: string, password: string) =>
    api.request('POST', '/api/auth/reset-password', { body: { token, password } });

  it('is answered the same with and without an account', async () => {
    const { user } = await api.account('cleo');
    const ask = (email: string) => api.request('POST', '/api/auth/forgot-password', { body: { email } });
    const [known, unknown, none] = [await ask(user.email), await ask('nobody@example.com'), await ask('no address')];
    expect(known.status).toBe(200);
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    expect(none.status).toBe(known.status);
  });

  it('is reset once, and every session before it is signed out', async () => {
    const account = await api.account('dora');
    const token = await resetTokenFor(account);
    expect(fieldsOf(await reset(token, 'short'))).toEqual(['password']);
    expect((await reset(token, 'another password')).status).toBe(200);
    expect((await api.request('GET', '/api/auth/me', { token: account.token })).status).toBe(401);
    expect((await logIn(account.user.email, PASSWORD)).status).toBe(401);
    expect((await logIn(account.user.email, 'another password')).status).toBe(200);
    const again = await reset(token, 'a third password');
    expect(again).toMatchObject({ status: 400, body: { details: { code: 'invalid_reset_token' } } });
  });
});

describe('a sign-in link', () => {
  const ask = (token?: string) => api.request('POST', '/api/auth/sign-in-link', { token });

  it('is made for a signed-in caller, and signs them in once', async () => {
    expect((await ask()).status).toBe(401);
    const account = await api.account('fay');
    const answer = await ask(account.token);
    expect(answer.status).toBe(201);
    const prefix = `${api.ctx.config.publicUrl}/sign-in/`;
    expect(answer.body.url.startsWith(prefix)).toBe(true);
    const token = answer.body.url.slice(prefix.length);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(Date.parse(answer.body.expiresAt)).toBeGreaterThan(api.ctx.clock.now().getTime());
    const session = await redeemSignInLink(api.ctx, token);
    const me = await api.request('GET', '/api/auth/me', { token: session.token });
    expect(me.body.user.id).toBe(account.user.id);
    await expect(redeemSignInLink(api.ctx, token)).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('is not made with the cookie for another origin', async () => {
    const { token } = await api.account('gus');
    const headers = { cookie: `pixelgate_session=${token}`, origin: 'https://elsewhere.example' };
    const answer = await api.request('POST', '/api/auth/sign-in-link', { headers });
    expect(answer.status).toBe(403);
  });
});

describe('signing in with GitHub', () => {
  it.each(['/api/auth/github', '/api/auth/github/callback?code=x&state=y'])(
    '%s says that it is not configured',
    async (path) => {
      const answer = await api.request('GET', path);
      expect(answer).toMatchObject({ status: 404, body: { details: { code: 'github_not_configured' } } });
    },
  );
});

describe('what can be linked without GitHub', () => {
  it('is nothing', async () => {
    const { token } = await api.account('eve');
    for (const path of [
      '/api/code-host/installations',
      '/api/code-host/repos',
      '/api/code-host/repos?installationId=7',
    ]) {
      expect((await api.request('GET', path)).status).toBe(401);
      expect(await api.request('GET', path, { token })).toMatchObject({ status: 200, body: [] });
    }
    const answer = await api.request('GET', '/api/code-host/repos?installationId=x', { token });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ['installationId']]);
  });
});
