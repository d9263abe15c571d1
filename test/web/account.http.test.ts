import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendResetLink } from '../../src/auth/passwords/change-password.ts';
import { DEFAULT_PREFERENCES } from '../../src/auth/preferences.ts';
import { findViewer } from '../../src/auth/sessions/start-session.ts';
import { createSignInLink } from '../../src/auth/sign-in-link.ts';
import { PASSWORD, startTestApi, type Answer, type TestApi } from '../support/api-client.ts';
import { cookieSet, ledTo, postForm } from '../support/web-form.ts';

const EVIL = ['//evil.example', '/\\evil.example', 'https://evil.example', '/.//evil.example', '%2F%2Fevil.example'];
const HTML = { accept: 'text/html' };

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(async () => api.stop());

let newcomers = 0;
function newcomer() {
  newcomers += 1;
  return { name: 'Ada', email: `ada${newcomers}@example.org`, password: 'a password' };
}

const sessionOf = (answer: Answer) => cookieSet(answer, 'pixelgate_session') ?? '';
const tokenOf = (answer: Answer) => /^pixelgate_session=([^;]+)/.exec(sessionOf(answer))?.[1] ?? '';
const meOf = async (token: string) => api.request('GET', '/api/auth/me', { token });

describe('a fresh service', () => {
  it('shows a newcomer the way to the first account, until there is one', async () => {
    expect((await api.request('GET', '/sign-in')).body).toContain('Create the first account');
    expect((await api.request('GET', '/register')).body).toContain('This is the first account');
    await api.account();
    expect((await api.request('GET', '/sign-in')).body).not.toContain('first account');
  });
});

describe('registering', () => {
  it('signs in, and leads to where the newcomer wanted to go', async () => {
    const person = newcomer();
    const answer = await postForm(api, '/register?next=%2Fruns', person);
    expect(ledTo(answer)).toEqual([303, '/runs']);
    expect(sessionOf(answer)).toMatch(/; Path=\/; .*HttpOnly; SameSite=Lax$/);
    expect((await meOf(tokenOf(answer))).body.user).toMatchObject({ email: person.email, name: 'Ada' });
  });

  it('keeps what was typed when it is refused, but no password, and says at the field why', async () => {
    const answer = await postForm(api, '/register', { name: '"><b>', email: 'no address', password: 'short-1' });
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('value="&quot;&gt;&lt;b&gt;"');
    expect(answer.body).toContain('Must be an email address');
    expect(answer.body).toContain('Must be at least 8 characters');
    expect(answer.body).not.toContain('short-1');
  });

  it('says when the address has an account', async () => {
    const { user } = await api.account();
    const answer = await postForm(api, '/register', { ...newcomer(), email: user.email.toUpperCase() });
    expect([answer.status, answer.body.includes('already exists')]).toEqual([409, true]);
  });

  it('is closed where the service says so', async () => {
    const closed = await startTestApi({ ALLOW_REGISTRATION: 'false' });
    const shown = await closed.request('GET', '/register');
    expect([shown.status, shown.body.includes('Registration is closed')]).toEqual([403, true]);
    expect((await postForm(closed, '/register', newcomer())).status).toBe(403);
    expect((await closed.request('GET', '/sign-in')).body).not.toContain('Create an account');
    await closed.stop();
  });
});

describe('signing in', () => {
  it('leads whoever is signed in on, and nobody to another site', async () => {
    const { token, user } = await api.account();
    expect(ledTo(await api.request('GET', '/sign-in?next=%2Faccount', { token }))).toEqual([303, '/account']);
    for (const next of EVIL) {
      const address = `/sign-in?next=${encodeURIComponent(next)}`;
      expect(ledTo(await postForm(api, address, { email: user.email, password: PASSWORD }))).toEqual([303, '/']);
      expect(ledTo(await api.request('GET', address, { token }))).toEqual([303, '/']);
    }
  });

  it('can only be asked for by our own page', async () => {
    const { user } = await api.account();
    const form = { email: user.email, password: PASSWORD };
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const answer = await postForm(api, '/sign-in', form, { headers });
      expect([answer.status, sessionOf(answer)]).toEqual([403, '']);
    }
  });

  it('says after too many attempts when to try again', async () => {
    // An account that there is: its password takes a tenth of the time that passwords of nobody take.
    const { email } = (await api.account('guessed')).user;
    const form = { email, password: 'wrong password' };
    for (let attempt = 0; attempt < 10; attempt += 1) expect((await postForm(api, '/sign-in', form)).status).toBe(401);
    const answer = await postForm(api, '/sign-in', form);
    expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(answer.body).toMatch(/Too many attempts\. Try again in \d+ (second|minute)/);
    expect(answer.body).toContain(`value="${email}"`);
  });

  it('with GitHub is offered where it is configured', async () => {
    expect((await api.request('GET', '/sign-in')).body).not.toContain('/api/auth/github');
    const withGitHub = await startTestApi({ GITHUB_CLIENT_ID: 'Iv1.client', GITHUB_CLIENT_SECRET: 'client-secret' });
    const { body } = await withGitHub.request('GET', '/sign-in?next=%2Fruns');
    expect(body).toContain('href="/api/auth/github?next&#x3D;%2Fruns"');
    await withGitHub.stop();
  });
});

describe('signing out', () => {
  it('takes the cookie away, and what the browser kept of our pages', async () => {
    const { token } = await api.account();
    const answer = await postForm(api, '/sign-out', {}, { token });
    expect(ledTo(answer)).toEqual([303, '/sign-in']);
    expect(sessionOf(answer)).toMatch(/^pixelgate_session=; Path=\/; Expires=Thu, 01 Jan 1970/);
    expect(answer.headers.get('clear-site-data')).toBe('"cache"');
  });

  it('can only be asked for by our own page', async () => {
    const { token } = await api.account();
    const answer = await postForm(api, '/sign-out', {}, { token, headers: { 'sec-fetch-site': 'cross-site' } });
    expect(answer.status).toBe(403);
    expect((await api.request('GET', '/sign-out', { token, headers: HTML })).status).toBe(405);
  });

  it('everywhere ends every session', async () => {
    const { token } = await api.account();
    expect(ledTo(await postForm(api, '/account/sign-out-everywhere', {}, { token }))).toEqual([303, '/sign-in']);
    expect((await meOf(token)).status).toBe(401);
  });
});

describe('the sessions of an account', () => {
  const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0' };
  const open = async (token: string) => api.request('GET', '/account', { token, headers: { ...HTML, ...agent } });

  it('are on its page, and are signed out one by one or all others at once', async () => {
    const { token, user } = await api.account();
    const signIn = async () => tokenOf(await postForm(api, '/sign-in', { email: user.email, password: PASSWORD }));
    const [second, third] = [await signIn(), await signIn()];
    const { body } = await open(token);
    expect(body).toMatch(/Firefox on Linux<\/strong>\s*<span[^>]*>.*This browser/);
    const [action = ''] = /\/account\/sessions\/[\w-]{36}\/sign-out/.exec(body) ?? [];
    expect(ledTo(await postForm(api, action, {}, { token }))).toEqual([303, '/account']);
    const statuses = async () => [(await meOf(second)).status, (await meOf(third)).status].toSorted((a, b) => a - b);
    expect(await statuses()).toEqual([200, 401]);
    expect(ledTo(await postForm(api, '/account/sessions/sign-out-others', {}, { token }))).toEqual([303, '/account']);
    expect([await statuses(), (await meOf(token)).status]).toEqual([[401, 401], 200]);
    expect((await open(token)).body).not.toContain('Sign out all others');
  });

  it('are not those of another account', async () => {
    const [one, other] = [await api.account(), await api.account()];
    await meOf(other.token);
    const row = await api.ctx.db('sessions').where({ user_id: other.user.id }).first('id');
    const answer = await postForm(api, `/account/sessions/${row?.id}/sign-out`, {}, { token: one.token });
    expect([answer.status, (await meOf(other.token)).status]).toEqual([404, 200]);
  });

  it('end with the sign-out of their browser', async () => {
    const { token } = await api.account();
    await postForm(api, '/sign-out', {}, { headers: { cookie: `pixelgate_session=${token}` } });
    expect((await meOf(token)).status).toBe(401);
  });
});

describe('linked accounts', () => {
  it('are unlinked, unless they are the only way in, which the page says', async () => {
    const { token, user } = await api.account();
    const link = { user_id: user.id, type: 'oauth', provider: 'github', provider_account_id: '583231' };
    const [row] = await api.ctx
      .db('accounts')
      .insert({ ...link, login: 'octocat' })
      .returning('id');
    const action = `/account/linked/${row?.id}/unlink`;
    await api.ctx.db('users').where({ id: user.id }).update({ password_hash: null });
    const only = await api.request('GET', '/account', { token });
    expect(only.body).toContain('@octocat');
    expect(only.body).toContain('This is your only way to sign in');
    expect(only.body).not.toContain(action);
    expect((await postForm(api, action, {}, { token })).status).toBe(409);
    await api.ctx.db('users').where({ id: user.id }).update({ password_hash: 'a hash' });
    expect((await api.request('GET', '/account', { token })).body).toContain(action);
    expect(ledTo(await postForm(api, action, {}, { token }))).toEqual([303, '/account']);
    expect((await api.request('GET', '/account', { token })).body).not.toContain('@octocat');
  });
});

describe('a one-time link', () => {
  async function linkOf(): Promise<{ path: string; email: string }> {
    const { user } = await api.account();
    return { path: `/sign-in/${(await createSignInLink(api.ctx, user)).token}`, email: user.email };
  }

  it('signs in once, and leads to a page of our own', async () => {
    const { path, email } = await linkOf();
    const answer = await api.request('GET', `${path}?next=%2Fruns%2F1`);
    expect(ledTo(answer)).toEqual([303, '/runs/1']);
    expect((await meOf(tokenOf(answer))).body.user.email).toBe(email);
    const again = await api.request('GET', path);
    expect([again.status, sessionOf(again)]).toEqual([400, '']);
    expect(again.body).toContain('href="/sign-in"');
  });

  it.each(EVIL)('does not lead to %s', async (next) => {
    const { path } = await linkOf();
    expect(ledTo(await api.request('GET', `${path}?next=${encodeURIComponent(next)}`))).toEqual([303, '/']);
  });

  it.each([
    ['another site leads to it', 'GET', { 'sec-fetch-site': 'cross-site' }],
    ['a browser only looks ahead', 'GET', { 'sec-purpose': 'prefetch' }],
    ['a program only asks for the head', 'HEAD', {}],
  ])('is not used up when %s, but asks first', async (_when, method, headers) => {
    const { path, email } = await linkOf();
    const asked = await api.request(method, path, { headers });
    expect([asked.status, sessionOf(asked)]).toEqual([200, '']);
    const answer = await postForm(api, path);
    expect((await meOf(tokenOf(answer))).body.user.email).toBe(email);
  });
});

describe('a forgotten password', () => {
  async function resetTokenOf(email: string): Promise<string> {
    const sent: string[] = [];
    const mailer = { configured: true, send: async ({ text }: { text: string }) => void sent.push(text) };
    await sendResetLink({ ...api.ctx, mailer }, { email });
    return /token=(\S+)/.exec(sent[0] ?? '')?.[1] ?? '';
  }

  it('is answered the same whether or not there is such an account', async () => {
    const { user } = await api.account();
    const known = await postForm(api, '/forgot-password', { email: user.email });
    const unknown = await postForm(api, '/forgot-password', { email: 'nobody@example.org' });
    expect([known.status, unknown.status]).toEqual([200, 200]);
    expect(known.body.replace(user.email, 'nobody@example.org')).toBe(unknown.body);
    expect((await postForm(api, '/forgot-password', { email: ' ' })).status).toBe(400);
  });

  it('is replaced by the link of the mail, once', async () => {
    const { user, token: session } = await api.account();
    const token = await resetTokenOf(user.email);
    expect((await api.request('GET', `/reset-password?token=${token}`)).body).toContain(`value="${token}"`);

    const refused = await postForm(api, `/reset-password?token=${token}`, { token, password: 'short' });
    expect([refused.status, refused.body.includes('Must be at least 8 characters')]).toEqual([400, true]);
    const answer = await postForm(api, `/reset-password?token=${token}`, { token, password: 'a new password' });
    expect(ledTo(answer)).toEqual([303, '/sign-in']);
    expect((await meOf(session)).status).toBe(401);
    expect(ledTo(await postForm(api, '/sign-in', { email: user.email, password: 'a new password' }))[0]).toBe(303);

    const again = await postForm(api, `/reset-password?token=${token}`, { token, password: 'another password' });
    expect([again.status, again.body.includes('Request a new link')]).toEqual([400, true]);
    expect((await api.request('GET', '/reset-password')).status).toBe(400);
  });

  it('keeps its token from other sites', async () => {
    const { headers } = await api.request('GET', '/reset-password?token=abc');
    expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual([
      'same-origin',
      'private, no-cache',
    ]);
  });
});

describe('the account page', () => {
  it('is for whoever is signed in', async () => {
    expect(ledTo(await api.request('GET', '/account'))).toEqual([303, '/sign-in?next=%2Faccount']);
    const headers = { referer: `${api.url}/account` };
    expect(ledTo(await postForm(api, '/account/name', { name: 'x' }, { headers }))).toEqual([
      303,
      '/sign-in?next=%2Faccount',
    ]);
  });

  it('changes the name, and shows it escaped', async () => {
    const { token } = await api.account();
    const name = '<script>alert(1)</script>';
    expect(ledTo(await postForm(api, '/account/name', { name }, { token }))).toEqual([303, '/account']);
    const { body } = await api.request('GET', '/account', { token });
    expect(body).toContain('value="&lt;script&gt;alert(1)&lt;/script&gt;"');
    expect(body).not.toContain(name);
    const refused = await postForm(api, '/account/name', { name: 'a\u0001b' }, { token });
    expect([refused.status, refused.body.includes('without control characters')]).toEqual([400, true]);
  });

  it('changes the password: this browser stays signed in, others do not', async () => {
    const { token } = await api.account();
    const wrong = await postForm(api, '/account/password', { current: 'wrong one', password: 'a new one' }, { token });
    expect([wrong.status, wrong.body.includes('Is incorrect')]).toEqual([400, true]);
    const form = { current: PASSWORD, password: 'a new password' };
    const answer = await postForm(api, '/account/password', form, { token });
    expect(ledTo(answer)).toEqual([303, '/account']);
    expect((await meOf(token)).status).toBe(401);
    expect((await meOf(tokenOf(answer))).status).toBe(200);
  });

  it('lets nobody guess the current password for long', async () => {
    const { token } = await api.account();
    const form = { current: 'a guess', password: 'short' };
    const statuses = new Set<number>();
    for (let attempt = 0; attempt < 21; attempt += 1) {
      statuses.add((await postForm(api, '/account/password', form, { token })).status);
    }
    expect([...statuses]).toEqual([400, 429]);
    api.advance(15 * 60_000 + 1);
    expect((await postForm(api, '/account/password', form, { token })).status).toBe(400);
  });

  it('is guessed no more often by who names other accounts in the form', async () => {
    const { token } = await api.account('guessed');
    const seen: number[] = [];
    for (let guess = 1; guess <= 21; guess += 1) {
      const form = { current: 'wrong one', password: 'a new password', email: `other${guess}@example.com` };
      seen.push((await postForm(api, '/account/password', form, { token })).status);
    }
    expect(seen.at(-1)).toBe(429);
  });

  it.each(['name', 'password', 'sign-out-everywhere', 'sessions/sign-out-others'])(
    'refuses %s from another site',
    async (what) => {
      const { token } = await api.account();
      const headers = { origin: 'https://evil.example' };
      expect((await postForm(api, `/account/${what}`, {}, { token, headers })).status).toBe(403);
    },
  );
});

describe('the theme', () => {
  it('is kept by a cookie, and leads back to the page', async () => {
    const answer = await postForm(api, '/theme', { theme: 'dark', back: '/runs?status=FAILED' });
    expect(ledTo(answer)).toEqual([303, '/runs?status=FAILED']);
    const cookie = cookieSet(answer, 'pixelgate_theme') ?? '';
    expect(cookie).toMatch(/^pixelgate_theme=dark; .*HttpOnly; SameSite=Lax$/);
    const { body } = await api.request('GET', '/sign-in', { headers: { cookie } });
    expect(body).toContain('data-color-mode="dark"');
    expect((await postForm(api, '/theme', { theme: 'pink' })).status).toBe(400);
  });

  it.each(EVIL)('does not lead to %s', async (back) => {
    expect(ledTo(await postForm(api, '/theme', { theme: 'light', back }))).toEqual([303, '/']);
  });
});

describe('preferences', () => {
  it('change the colors of the pages, and switch shortcuts of one key off', async () => {
    const { token } = await api.account();
    const page = async () => (await api.request('GET', '/account', { token })).body;
    expect(await page()).toMatch(/data-light-theme="light" data-dark-theme="dark" data-zone/);
    const form = { pageColors: 'high_contrast', singleKeys: 'off', back: '/account' };
    expect(ledTo(await postForm(api, '/preferences', form, { token }))).toEqual([303, '/account']);
    const body = await page();
    expect(body).toContain(
      'data-light-theme="light_high_contrast" data-dark-theme="dark_high_contrast" data-keys="off"',
    );
    expect(body).toMatch(/value="off" aria-pressed="true">Off/);
  });

  it('belong to the account: each form changes its own fields, and leads back to the page', async () => {
    const { token } = await api.account();
    const preferences = async () => (await findViewer(api.ctx, token))?.preferences;
    expect(await preferences()).toEqual(DEFAULT_PREFERENCES);
    const color = await postForm(
      api,
      '/preferences',
      { pageColors: 'colorblind', back: '/runs?status=FAILED' },
      { token },
    );
    expect(ledTo(color)).toEqual([303, '/runs?status=FAILED']);
    await postForm(api, '/preferences', { resultLayout: 'grid' }, { token });
    expect(await preferences()).toEqual({ ...DEFAULT_PREFERENCES, pageColors: 'colorblind', resultLayout: 'grid' });
  });

  it('are refused if they are not offered, and what is no longer offered gives the default', async () => {
    const { token, user } = await api.account();
    for (const wrong of [{ pageColors: 'pink' }, { resultLayout: '' }]) {
      expect((await postForm(api, '/preferences', wrong, { token })).status).toBe(400);
    }
    const stored = JSON.stringify({ pageColors: 'pink', resultLayout: 'grid', blinkSpeed: 'slow' });
    await api.ctx.db.raw('update users set preferences = ? where id = ?', [stored, user.id]);
    expect((await findViewer(api.ctx, token))?.preferences).toEqual({ ...DEFAULT_PREFERENCES, resultLayout: 'grid' });
  });
});
