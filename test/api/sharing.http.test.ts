import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeSiteAccess, mayVisit } from '../../src/suites/site-access/change-site-access.ts';
import type { SuiteForViewer } from '../../src/suites/suite.ts';
import { startTestApi, type Account, type TestApi } from '../support/api-client.ts';
import { newSuite } from '../support/world.ts';
import { worldOf } from './fixture.ts';

let api: TestApi;
let owner: Account;
let guest: Account;
let suite: SuiteForViewer;
beforeAll(async () => {
  api = await startTestApi();
  owner = await api.account('owner');
  guest = await api.account('guest');
  suite = await newSuite(worldOf(api), owner.user, []);
});
afterAll(async () => {
  await api.stop();
});

const call = (method: string, rest: string, body?: unknown, as: Account = owner) =>
  api.request(method, `/api/test-suites/${suite.id}/access${rest}`, { token: as.token, body });

describe('sharing a suite', () => {
  it('gives a role, VIEWER unless another is named, and answers who, what and by whom', async () => {
    const { status, body } = await call('POST', '', { email: guest.user.email.toUpperCase() });
    expect(status).toBe(201);
    expect(body.grant).toMatchObject({
      testSuiteId: suite.id,
      principal: { type: 'USER', id: guest.user.id },
      role: 'VIEWER',
      user: { id: guest.user.id, email: guest.user.email },
      team: null,
      grantedBy: { id: owner.user.id },
    });
    const listed = await call('GET', '', undefined, guest);
    expect(listed.body).toMatchObject({
      owner: { id: owner.user.id },
      grants: [{ id: body.grant.id }],
      access: { role: 'VIEWER', isOwner: false, via: 'USER_GRANT', team: null },
    });
  });

  it('again with the same account changes the role of the one grant', async () => {
    const first = await call('POST', '', { email: guest.user.email });
    const second = await call('POST', '', { userId: guest.user.id, role: 'EDITOR' });
    expect(second.body.grant).toMatchObject({ id: first.body.grant.id, role: 'EDITOR' });
    expect((await call('GET', '')).body.grants).toHaveLength(1);
  });

  it.each([
    [{ email: 'nobody@example.com' }, 422, 'no_such_account'],
    [{ userId: '00000000-0000-4000-8000-000000000000' }, 422, 'no_such_account'],
    [{ teamId: 'team' }, 422, 'teams_unavailable'],
    [{}, 400, 'validation_failed'],
    [{ userId: 'x' }, 400, 'validation_failed'],
    [{ email: 'guest@example.com', role: 'OWNER' }, 400, 'validation_failed'],
  ])('%j is refused with %i %s', async (body, status, code) => {
    expect(await call('POST', '', body)).toMatchObject({ status, body: { details: { code } } });
  });

  it('with the owner is refused', async () => {
    const answer = await call('POST', '', { email: owner.user.email });
    expect(answer).toMatchObject({ status: 409, body: { details: { code: 'already_owner' } } });
  });
});

describe('a grant', () => {
  it('can be changed and revoked, and then its holder finds no suite', async () => {
    const { body } = await call('POST', '', { userId: guest.user.id, role: 'VIEWER' });
    const { id } = body.grant;
    expect((await call('PATCH', `/${id}`, { role: 'REVIEWER' })).body.grant.role).toBe('REVIEWER');
    expect((await call('PATCH', `/${id}`, {})).status).toBe(400);
    expect((await call('DELETE', `/${id}`)).status).toBe(200);
    expect((await call('DELETE', `/${id}`)).status).toBe(404);
    expect((await call('PATCH', `/${id}`, { role: 'ADMIN' })).status).toBe(404);
    expect((await call('GET', '', undefined, guest)).status).toBe(404);
  });

  it('of the owner there is none to change or revoke', async () => {
    const path = `/${owner.user.id}`;
    expect((await call('PATCH', path, { role: 'VIEWER' })).body.details.code).toBe('owner_role_fixed');
    expect((await call('DELETE', path)).status).toBe(409);
  });
});

describe('the access to the site', () => {
  const SECRETS = {
    headers: [{ name: 'X-Token', value: 'value-one' }],
    cookies: [{ name: 'session', value: 'value-two' }],
    basic: { username: 'staff', password: 'value-three' },
    login: {
      path: '/login',
      fields: [{ selector: '#password', value: 'value-four' }],
      success: { selector: '#account' },
    },
    previewHosts: ['*--acme.netlify.app'],
  };
  const site = (method: string, body?: unknown, as: Account = owner) =>
    api.request(method, `/api/test-suites/${suite.id}/site-access`, { token: as.token, body });
  const storedText = async () => JSON.stringify(await api.ctx.db('site_access').select('*'));

  it('is told by kinds and names, with who changed it, and kept so that the database gives no value away', async () => {
    expect((await site('GET')).body).toEqual({
      kinds: [],
      origin: null,
      previewHosts: [],
      unusedPreviewHosts: [],
      problem: null,
      changes: [],
    });
    const { status, body } = await site('PUT', SECRETS);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      kinds: [
        { kind: 'headers', names: ['X-Token'] },
        { kind: 'cookies', names: ['session'] },
        { kind: 'basic', names: [] },
        { kind: 'login', names: ['/login'] },
      ],
      origin: 'http://site.test',
      previewHosts: ['*--acme.netlify.app'],
      problem: null,
      changes: [{ by: { id: owner.user.id }, kinds: ['headers', 'cookies', 'basic', 'login'] }],
    });
    expect((await site('GET')).body).toEqual(body);
    const whole = await api.request('GET', `/api/test-suites/${suite.id}`, { token: owner.token });
    for (const text of [JSON.stringify([body, whole.body]), await storedText()]) expect(text).not.toMatch(/value-/);
  });

  it('is replaced as a whole, and removed', async () => {
    await site('PUT', SECRETS);
    const { body } = await site('PUT', { vercel: { secret: 'value-five' } });
    expect(body).toMatchObject({ kinds: [{ kind: 'vercel', names: [] }], previewHosts: [] });
    expect((await site('DELETE')).status).toBe(200);
    expect((await site('DELETE')).status).toBe(404);
    const { body: after } = await site('GET');
    expect(after.kinds).toEqual([]);
    expect(after.changes.slice(0, 2)).toMatchObject([{ kinds: [] }, { kinds: ['vercel'] }]);
  });

  it('holds for the address that it was entered for, until an admin enters it again', async () => {
    await site('PUT', SECRETS);
    const path = `/api/test-suites/${suite.id}`;
    await api.request('PATCH', path, { token: owner.token, body: { baseUrl: 'http://127.0.0.1:9' } });
    expect((await site('GET')).body).toMatchObject({ origin: 'http://site.test', problem: 'OTHER_ORIGIN' });
    expect((await site('PUT', SECRETS)).body).toMatchObject({ origin: 'http://127.0.0.1:9', problem: null });
    await api.ctx.db('site_access').update({ sealed: 'v1.other' });
    expect((await site('GET')).body).toMatchObject({ problem: 'OTHER_SECRET' });
  });

  it('goes to no host any more that a stranger could have, though it was entered before, and says so', async () => {
    await site('PUT', SECRETS);
    const previewHosts = ['docs-*-acme.vercel.app', 'docs.example.com'];
    await api.ctx.db('site_access').update({ preview_hosts: JSON.stringify(previewHosts) });
    expect((await site('GET')).body).toMatchObject({ previewHosts, unusedPreviewHosts: ['docs-*-acme.vercel.app'] });
    expect(await mayVisit(api.ctx, suite, 'https://docs-evil-acme.vercel.app/')).toBe(false);
    expect(await mayVisit(api.ctx, suite, 'https://docs.example.com/')).toBe(true);
    expect(await describeSiteAccess(api.ctx, suite.id)).toContain('It is not sent to docs-*-acme.vercel.app, because');
    const headers = { cookie: `pixelgate_session=${owner.token}` };
    const page = await (await fetch(`${api.url}/suites/${suite.id}/access`, { headers })).text();
    expect(page).toContain('Nothing is sent to docs-*-acme.vercel.app any more');
  });

  it.each([
    [{}],
    [{ previewHosts: ['docs.example.com'] }],
    [{ header: [] }],
    [{ headers: [{ name: 'cookie', value: 'a=b' }] }],
    [{ headers: [{ name: 'x', value: 'two\nlines' }] }],
    [{ cookies: [{ name: 'a', value: 'b; c' }] }],
    [{ vercel: { secret: '' } }],
    [{ login: { path: 'https://elsewhere.test/', fields: SECRETS.login.fields, success: { selector: 'a' } } }],
    [{ login: { path: '/login', fields: SECRETS.login.fields, success: {} } }],
    [{ storageState: {} }],
    [{ vercel: { secret: 'value' }, previewHosts: ['*.vercel.app'] }],
    [{ vercel: { secret: 'value' }, previewHosts: ['*.com'] }],
    [{ vercel: { secret: 'value' }, previewHosts: ['docs.example.com', 'docs-*-acme.vercel.app'] }],
  ])('%j is refused, changes nothing, and is not repeated in the answer', async (body) => {
    await site('PUT', SECRETS);
    const before = await storedText();
    const answer = await site('PUT', body);
    expect(answer).toMatchObject({ status: 400, body: { details: { code: 'validation_failed' } } });
    expect(JSON.stringify(answer.body)).not.toMatch(/value-|two|b; c|a=b/);
    expect(await storedText()).toBe(before);
  });
});
