import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SuiteForViewer } from '../../src/suites/suite.ts';
import { startTestApi } from '../support/api-client.ts';
import type { Account, TestApi } from '../support/api-client.ts';
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
