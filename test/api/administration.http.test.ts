import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findUserOfAccount } from '../../src/auth/change-account.ts';
import { changeManagedAccount } from '../../src/auth/manage-accounts.ts';
import { sendResetLink } from '../../src/auth/passwords/change-password.ts';
import { createSignInLink } from '../../src/auth/sign-in-link.ts';
import { codeOf, PASSWORD, startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { ledTo, postForm } from '../support/web-form.ts';

let api: TestApi;
let first: Account;
let other: Account;
beforeAll(async () => {
  api = await startTestApi();
  first = await api.account('first');
  other = await api.account('other');
});
afterAll(async () => api.stop());

const path = ({ user }: Account, rest = '') => `/api/admin/accounts/${user.id}${rest}`;
const change = async (account: Account, body: object, by = first) =>
  api.request('PATCH', path(account), { token: by.token, body });
const meStatus = async (token: string) => (await api.request('GET', '/api/auth/me', { token })).status;
const eventsOf = async (kind: string) => api.ctx.db('events').where({ kind }).orderBy('id');

async function suiteOf({ token }: Account): Promise<string> {
  const body = { name: 'Docs', baseUrl: 'http://site.test' };
  return (await api.request('POST', '/api/test-suites', { token, body })).body.id;
}

describe('who is no administrator', () => {
  it('is refused everything, in the API and on the pages, and no suite token helps', async () => {
    const { token } = other;
    const answers = [
      await api.request('GET', '/api/admin/accounts', { token }),
      await api.request('GET', path(first), { token }),
      await change(other, { administrator: true }, other),
      await api.request('POST', path(first, '/sign-out'), { token }),
      await api.request('POST', path(first, '/password-reset'), { token }),
      await api.request('POST', path(first, '/hand-over'), { token, body: { email: other.user.email } }),
    ];
    expect(answers.map(codeOf)).toEqual(answers.map(() => [403, 'not_administrator']));
    const pages = [
      await api.request('GET', '/admin/accounts', { token }),
      await api.request('GET', `/admin/accounts/${first.user.id}`, { token }),
    ];
    for (const step of ['disable', 'enable', 'make-administrator', 'remove-administrator', 'sign-out', 'hand-over']) {
      pages.push(
        await postForm(api, `/admin/accounts/${first.user.id}/${step}`, { email: 'x@example.com' }, { token }),
      );
    }
    expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 403));
    expect(await meStatus(first.token)).toBe(200);
  });
});

describe('the list of accounts', () => {
  it('is searched and comes in parts', async () => {
    const { token } = first;
    for (const name of ['zed_a', 'zed_b', 'zed_c']) await api.account(name);
    const part = await api.request('GET', '/api/admin/accounts?search=ZED_&limit=2', { token });
    expect(part.body.map(({ name }: { name: string }) => name)).toEqual(['zed_a', 'zed_b']);
    const [, next = ''] = /<[^>]*?(\/api[^>]*)>/.exec(part.headers.get('link') ?? '') ?? [];
    const rest = await api.request('GET', next, { token });
    expect(rest.body).toEqual([expect.objectContaining({ name: 'zed_c', administrator: null, disabledAt: null })]);
    expect(rest.headers.get('link')).toBeNull();
    expect((await api.request('GET', '/api/admin/accounts?search=zed%25', { token })).body).toEqual([]);
    const page = await api.request('GET', '/admin/accounts?search=zed_b', { token });
    expect([page.body.includes('zed_b-'), page.body.includes('zed_a-')]).toEqual([true, false]);
  });
});

describe('a disabled account', () => {
  it('can’t sign in in any way, and its sessions and tokens stop at once', async () => {
    const gone = await api.account('gone');
    const suiteId = await suiteOf(gone);
    const own = await api.request('POST', '/api/tokens', { token: gone.token, body: { name: 'own' } });
    const body = { name: 'CI', scopes: ['read'] };
    const ci = await api.request('POST', `/api/test-suites/${suiteId}/tokens`, { token: gone.token, body });
    const link = await createSignInLink(api.ctx, gone.user);
    await api.ctx.db('accounts').insert({
      user_id: gone.user.id,
      type: 'oauth',
      provider: 'github',
      provider_account_id: '77',
    });
    const read = async (token: string) => (await api.request('GET', `/api/test-suites/${suiteId}`, { token })).status;
    expect([await read(own.body.secret), await read(ci.body.secret)]).toEqual([200, 200]);

    expect((await change(gone, { disabled: true })).body.disabledAt).not.toBeNull();
    expect(await meStatus(gone.token)).toBe(401);
    expect([await read(own.body.secret), await read(ci.body.secret)]).toEqual([401, 401]);
    const login = async () =>
      api.request('POST', '/api/auth/login', { body: { email: gone.user.email, password: PASSWORD } });
    expect(codeOf(await login())).toEqual([403, 'account_disabled']);
    expect((await api.request('GET', `/sign-in/${link.token}`)).status).toBe(400);
    expect(await findUserOfAccount(api.ctx, '77')).toBeNull();
    const sent: string[] = [];
    const mailer = { configured: true, send: async ({ to }: { to: string }) => void sent.push(to) };
    await sendResetLink({ ...api.ctx, mailer }, { email: gone.user.email });
    expect(sent).toEqual([]);

    await change(gone, { disabled: false });
    expect((await login()).status).toBe(200);
    expect([await read(own.body.secret), await read(ci.body.secret)]).toEqual([401, 200]);
    expect((await eventsOf('account.disabled')).at(-1)).toMatchObject({
      actorId: first.user.id,
      details: { account: { id: gone.user.id, name: 'gone' } },
    });
  });
});

describe('administrators', () => {
  it('are made and removed, but never the last one, nor is it disabled', async () => {
    expect(codeOf(await change(first, { administrator: false }))).toEqual([409, 'last_administrator']);
    expect(codeOf(await change(first, { disabled: true }))).toEqual([409, 'last_administrator']);
    expect((await change(other, { administrator: true })).body.administrator).toBe('NAMED');
    expect((await change(first, { administrator: false }, other)).body.administrator).toBeNull();
    expect(codeOf(await change(other, { administrator: false }))).toEqual([403, 'not_administrator']);
    await change(first, { administrator: true }, other);
    await change(other, { administrator: false });
    expect(await eventsOf('account.administrator_named')).toHaveLength(2);
  });

  it('are not all gone when two remove each other at the same moment', async () => {
    await change(other, { administrator: true });
    await Promise.allSettled([
      changeManagedAccount(api.ctx, first.user, other.user.id, { administrator: false }),
      changeManagedAccount(api.ctx, other.user, first.user.id, { administrator: false }),
    ]);
    const left = await api.ctx.db('users').whereNotNull('administrator').select('id');
    expect(left).toHaveLength(1);
    await api.ctx.db('users').where({ id: first.user.id }).update({ administrator: 'NAMED' });
    await api.ctx.db('users').where({ id: other.user.id }).update({ administrator: null });
  });

  it('sign an account out everywhere, and have a reset link sent', async () => {
    const account = await api.account('lost');
    expect((await api.request('POST', path(account, '/sign-out'), { token: first.token })).status).toBe(200);
    expect(await meStatus(account.token)).toBe(401);
    expect((await api.request('POST', path(account, '/password-reset'), { token: first.token })).status).toBe(200);
    const jobs = await api.ctx.db('graphile_worker.jobs').where({ task_identifier: 'send-reset-link' });
    expect(jobs).not.toHaveLength(0);
  });

  it('do the same on the page of an account', async () => {
    const account = await api.account('paged');
    const page = `/admin/accounts/${account.user.id}`;
    expect((await api.request('GET', page, { token: first.token })).body).toContain('Owns no suites');
    expect(ledTo(await postForm(api, `${page}/disable`, {}, { token: first.token }))).toEqual([303, page]);
    expect((await api.request('GET', page, { token: first.token })).body).toContain('Disabled');
    expect(ledTo(await postForm(api, `${page}/enable`, {}, { token: first.token }))).toEqual([303, page]);
    const refused = await postForm(api, `${page}/hand-over`, { email: 'nobody@example.com' }, { token: first.token });
    expect([refused.status, refused.body.includes('No account exists')]).toEqual([422, true]);
  });
});

describe('handing over', () => {
  it('moves all suites of an account, whose role ends', async () => {
    const [from, to] = [await api.account('from'), await api.account('to')];
    const suiteId = await suiteOf(from);
    await api.request('POST', `/api/test-suites/${suiteId}/access`, {
      token: from.token,
      body: { userId: to.user.id, role: 'VIEWER' },
    });
    const body = { email: to.user.email };
    const moved = await api.request('POST', path(from, '/hand-over'), { token: first.token, body });
    expect([moved.status, moved.body]).toEqual([200, { suites: 1 }]);
    const after = await api.request('GET', `/api/test-suites/${suiteId}`, { token: to.token });
    expect(after.body.access).toMatchObject({ role: 'ADMIN', isOwner: true });
    expect((await api.request('GET', `/api/test-suites/${suiteId}`, { token: from.token })).status).toBe(404);
    expect(await api.ctx.db('test_suite_grants').where({ test_suite_id: suiteId })).toEqual([]);
  });

  it('is refused for an account that is disabled, missing, or the owner', async () => {
    const [from, disabled] = [await api.account('from'), await api.account('off')];
    await change(disabled, { disabled: true });
    const to = async (email: string) =>
      codeOf(await api.request('POST', path(from, '/hand-over'), { token: first.token, body: { email } }));
    expect(await to(disabled.user.email)).toEqual([422, 'account_disabled']);
    expect(await to('nobody@example.com')).toEqual([422, 'no_such_account']);
    expect(await to(from.user.email)).toEqual([409, 'already_owner']);
  });
});

describe('leaving a suite', () => {
  it('ends one’s role, but the owner’s only after handing it over', async () => {
    const [owner, guest] = [await api.account('owner'), await api.account('guest')];
    const suiteId = await suiteOf(owner);
    const suite = `/api/test-suites/${suiteId}`;
    await api.request('POST', `${suite}/access`, {
      token: owner.token,
      body: { userId: guest.user.id, role: 'ADMIN' },
    });
    const body = { email: guest.user.email };
    expect(codeOf(await api.request('POST', `${suite}/leave`, { token: owner.token }))).toEqual([
      409,
      'owner_cannot_leave',
    ]);
    expect(codeOf(await api.request('POST', `${suite}/hand-over`, { token: guest.token, body }))).toEqual([
      403,
      'not_owner',
    ]);
    expect((await api.request('GET', `/suites/${suiteId}/leave`, { token: owner.token })).body).toContain('Hand over');
    const handed = await api.request('POST', `${suite}/hand-over`, { token: owner.token, body });
    expect([handed.status, handed.body.owner.id]).toEqual([200, guest.user.id]);
    expect((await api.request('GET', suite, { token: owner.token })).body.access.role).toBe('ADMIN');
    expect((await api.request('GET', `/suites/${suiteId}/leave`, { token: owner.token })).body).toContain('Leave this');
    expect(ledTo(await postForm(api, `/suites/${suiteId}/leave`, {}, { token: owner.token }))).toEqual([
      303,
      '/suites',
    ]);
    expect((await api.request('GET', suite, { token: owner.token })).status).toBe(404);
    expect(codeOf(await api.request('POST', `${suite}/leave`, { token: owner.token }))[0]).toBe(404);
    expect((await eventsOf('suite.left')).at(-1)).toMatchObject({ suiteId, details: { role: 'ADMIN' } });
  });
});
