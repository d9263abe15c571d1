import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Authorized } from '../../src/access/authorized.ts';
import { changeGrant, listGrants, revokeGrant, shareSuite, type ShareInput } from '../../src/access/grants.ts';
import type { SharedSuite } from '../../src/access/role.ts';
import type { Viewer } from '../../src/auth/user.ts';
import { getSuiteFor } from '../../src/suites/read-suite.ts';
import { createTestDatabase } from '../support/database.ts';

type Person = { id: string; email: string; name: string | null; image: string | null };

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

let owner: Person;
let ada: Person;
let eve: Person;
let suite: SharedSuite;
let otherSuite: SharedSuite;

const database = await createTestDatabase();
afterAll(() => database.drop());

async function createPerson(email: string): Promise<Person> {
  const [person] = await database
    .db('users')
    .insert({ email, name: email.split('@')[0] })
    .returning(['id', 'email', 'name', 'image']);
  return person;
}

async function createSuite(userId: string): Promise<SharedSuite> {
  const [created] = await database
    .db('test_suites')
    .insert({ name: 'Site', base_url: 'https://a.example', origin: 'https://a.example', user_id: userId })
    .returning(['id', 'user_id']);
  return created;
}

beforeEach(async () => {
  await database.db('users').delete();
  [owner, ada, eve] = [
    await createPerson('owner@example.com'),
    await createPerson('Ada@example.com'),
    await createPerson('eve@example.com'),
  ];
  suite = await createSuite(owner.id);
  otherSuite = await createSuite(eve.id);
});

/** Treats the person as authorized, because these tests are not about what a role allows. */
const authorized = (of = suite, by = owner) => ({ ...of, viewer: by }) as unknown as SharedSuite & Authorized<never>;
const share = (input: ShareInput, by = owner) => shareSuite(database, authorized(suite, by), input);
const grants = async () => (await listGrants(database, authorized(), { limit: 100 })).grants;

describe('sharing a suite', () => {
  it('answers the grant with the account and who shared it, VIEWER when no role is named', async () => {
    const grant = await share({ email: ' ADA@example.com ' });
    expect(grant).toEqual({
      id: expect.any(String),
      testSuiteId: suite.id,
      principal: { type: 'USER', id: ada.id },
      role: 'VIEWER',
      user: ada,
      team: null,
      grantedBy: owner,
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    });
    expect(await grants()).toEqual([grant]);
  });

  it('takes a user id in place of an e-mail address', async () => {
    expect(await share({ userId: eve.id, role: 'EDITOR' })).toMatchObject({ user: eve, role: 'EDITOR' });
  });

  it('again with the same account changes the role of the one grant, and keeps who created it', async () => {
    const first = await share({ email: ada.email, role: 'ADMIN' });
    const second = await share({ userId: ada.id, role: 'REVIEWER' }, eve);
    expect(second).toMatchObject({ id: first.id, role: 'REVIEWER', grantedBy: owner });
    expect(await grants()).toHaveLength(1);
  });

  it('again without a role leaves the role as it is', async () => {
    await share({ email: ada.email, role: 'EDITOR' });
    expect(await share({ email: ada.email })).toMatchObject({ role: 'EDITOR' });
  });

  it('makes one grant of ten shares at the same moment', async () => {
    await Promise.all(Array.from({ length: 10 }, () => share({ email: ada.email, role: 'EDITOR' })));
    expect(await grants()).toHaveLength(1);
  });

  it.each<[string, ShareInput, object]>([
    [
      'an address without an account',
      { email: 'x@example.com' },
      { kind: 'unprocessable', details: { code: 'no_such_account' } },
    ],
    ['what is no address', { email: 'x\u0000' }, { kind: 'unprocessable', details: { code: 'no_such_account' } }],
    ['an unknown user id', { userId: UNKNOWN_ID }, { kind: 'unprocessable', details: { code: 'no_such_account' } }],
    [
      'a team',
      { teamId: UNKNOWN_ID },
      { kind: 'unprocessable', message: 'Team sharing is not available', details: { code: 'teams_unavailable' } },
    ],
    ['nobody', {}, { kind: 'invalid' }],
    ['two at once', { email: 'eve@example.com', teamId: UNKNOWN_ID }, { kind: 'invalid' }],
    ['the owner', { email: 'Owner@example.com' }, { kind: 'conflict', details: { code: 'already_owner' } }],
  ])('with %s is refused and grants nothing', async (_, input, failure) => {
    await expect(share(input)).rejects.toMatchObject(failure);
    expect(await grants()).toEqual([]);
  });
});

describe('changing a grant', () => {
  it('answers the grant with its new role', async () => {
    const { id } = await share({ email: ada.email });
    expect(await changeGrant(database, authorized(), { grantId: id, role: 'ADMIN' })).toMatchObject({
      id,
      role: 'ADMIN',
      user: ada,
    });
  });

  it('knows no grant of another suite, and changes nothing there', async () => {
    const { id } = await share({ email: ada.email });
    const change = changeGrant(database, authorized(otherSuite), { grantId: id, role: 'ADMIN' });
    await expect(change).rejects.toMatchObject({ kind: 'not_found' });
    expect(await grants()).toMatchObject([{ role: 'VIEWER' }]);
  });

  it('refuses to touch the owner', async () => {
    await expect(changeGrant(database, authorized(), { grantId: owner.id, role: 'VIEWER' })).rejects.toMatchObject({
      kind: 'conflict',
      details: { code: 'owner_role_fixed' },
    });
  });
});

describe('revoking a grant', () => {
  it('takes the access away, once', async () => {
    const { id } = await share({ email: ada.email });
    await revokeGrant(database, authorized(), { grantId: id });
    expect(await grants()).toEqual([]);
    await expect(revokeGrant(database, authorized(), { grantId: id })).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('knows no grant of another suite, and removes nothing there', async () => {
    const { id } = await share({ email: ada.email });
    await expect(revokeGrant(database, authorized(otherSuite), { grantId: id })).rejects.toMatchObject({
      kind: 'not_found',
    });
    expect(await grants()).toHaveLength(1);
  });

  it('refuses to touch the owner', async () => {
    await expect(revokeGrant(database, authorized(), { grantId: owner.id })).rejects.toMatchObject({
      kind: 'conflict',
    });
  });
});

describe('the list of grants', () => {
  it('names the owner apart and the grants in the order they were made', async () => {
    await share({ email: eve.email });
    await share({ email: ada.email });
    const sharing = await listGrants(database, authorized(), { limit: 100 });
    expect(sharing.owner).toEqual(owner);
    expect(sharing.grants.map(({ user }) => user?.id)).toEqual([eve.id, ada.id]);
  });

  it('keeps a grant whose giver is gone', async () => {
    await share({ email: ada.email }, eve);
    await database.db('users').where({ id: eve.id }).delete();
    expect(await grants()).toMatchObject([{ user: ada, grantedBy: null }]);
  });
});

const read = async (id: string, by: Person) => getSuiteFor(database, by as unknown as Viewer, id, 'suite.read');

describe('the access of a viewer', () => {
  it('is the whole of an owned suite, the role of a shared one, and none of another', async () => {
    await share({ email: ada.email, role: 'REVIEWER' });
    const own = await createSuite(ada.id);
    const access = { isOwner: true, role: 'ADMIN', team: null, via: 'OWNER' };
    expect((await read(own.id, ada)).access).toEqual(access);
    const shared = { isOwner: false, role: 'REVIEWER', team: null, via: 'USER_GRANT' };
    expect((await read(suite.id, ada)).access).toEqual(shared);
    await expect(read(otherSuite.id, ada)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('is the best of ownership and every grant', async () => {
    await database.db('test_suite_grants').insert({ test_suite_id: suite.id, principal_id: owner.id, role: 'VIEWER' });
    expect((await read(suite.id, owner)).access).toMatchObject({ role: 'ADMIN', via: 'OWNER' });
  });

  it('does not come from a team that has the id of the viewer', async () => {
    const team = { test_suite_id: suite.id, principal_type: 'TEAM', principal_id: ada.id, role: 'ADMIN' };
    await database.db('test_suite_grants').insert(team);
    await expect(read(suite.id, ada)).rejects.toMatchObject({ kind: 'not_found' });
  });
});

describe('the number of shares', () => {
  it('leaves the owner out', async () => {
    await share({ email: ada.email });
    await share({ email: eve.email });
    await database.db('test_suite_grants').insert({ test_suite_id: suite.id, principal_id: owner.id });
    expect((await read(suite.id, owner)).shareCount).toBe(2);
    expect((await read(otherSuite.id, eve)).shareCount).toBe(0);
  });
});
