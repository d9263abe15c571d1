import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { logIn } from '../../src/auth/passwords/log-in.ts';
import { register } from '../../src/auth/register.ts';
import { findViewer } from '../../src/auth/sessions/start-session.ts';
import { createTestDatabase } from '../support/database.ts';
import { authContext, LOW_COST, PASSWORD } from './auth-fixture.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());

const fixture = (settings = {}) => authContext(database.db, settings);
const countUsers = async () => (await database.db('users').select('id')).length;

describe('registering', () => {
  it('creates an account and answers it, trimmed, with a token that stands for it', async () => {
    const { ctx } = fixture();
    const session = await register(ctx, { email: ' Ada@Example.com ', password: PASSWORD, name: ' Ada ' }, LOW_COST);
    expect(session.user).toEqual({
      id: expect.any(String),
      email: 'Ada@Example.com',
      name: 'Ada',
      image: null,
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    });
    expect(await findViewer(ctx, session.token)).toMatchObject(session.user);
  });

  it('keeps a bcrypt hash and not the password', async () => {
    await register(fixture().ctx, { email: 'hash@example.com', password: PASSWORD }, LOW_COST);
    const row = await database.db('users').where({ email: 'hash@example.com' }).first('password_hash', 'name');
    expect(row).toEqual({ passwordHash: expect.stringMatching(/^\$2b\$04\$.{53}$/), name: null });
  });

  it('refuses an address that has an account, in whatever case', async () => {
    const { ctx } = fixture();
    await register(ctx, { email: 'taken@example.com', password: PASSWORD }, LOW_COST);
    const before = await countUsers();
    await expect(register(ctx, { email: 'TAKEN@example.COM', password: PASSWORD }, LOW_COST)).rejects.toMatchObject({
      kind: 'conflict',
      details: { code: 'email_taken' },
    });
    expect(await countUsers()).toBe(before);
  });

  it('gives one account to ten registrations of one address at the same moment', async () => {
    const { ctx } = fixture();
    const attempts = await Promise.allSettled(
      Array.from({ length: 10 }, () => register(ctx, { email: 'race@example.com', password: PASSWORD }, LOW_COST)),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await database.db('users').where({ email: 'race@example.com' }).select('id')).toHaveLength(1);
  });

  it('names every field that breaks a rule, and creates nothing', async () => {
    const before = await countUsers();
    const input = { email: 'nobody', password: 'short', name: 'a\u0000b' };
    await expect(register(fixture().ctx, input, LOW_COST)).rejects.toMatchObject({
      kind: 'invalid',
      details: { issues: [{ path: 'email' }, { path: 'password' }, { path: 'name' }] },
    });
    expect(await countUsers()).toBe(before);
  });

  it('is refused where registration is closed', async () => {
    const { ctx } = fixture({ allowRegistration: false });
    await expect(register(ctx, { email: 'late@example.com', password: PASSWORD }, LOW_COST)).rejects.toMatchObject({
      kind: 'forbidden',
      details: { code: 'registration_closed' },
    });
  });
});

describe('logging in', () => {
  const credentials = { email: 'login@example.com', password: PASSWORD };
  const refused = { kind: 'unauthenticated', details: { code: 'invalid_credentials' } };
  beforeAll(async () => {
    await register(fixture().ctx, credentials, LOW_COST);
  });

  it('answers the account and a token, however the address is written', async () => {
    const { ctx } = fixture();
    const session = await logIn(ctx, { ...credentials, email: ' LogIn@EXAMPLE.com ' });
    expect(session.user.email).toBe('login@example.com');
    expect(await findViewer(ctx, session.token)).toMatchObject(session.user);
  });

  it.each([
    ['a wrong password', { ...credentials, password: 'wrong horse' }],
    ['an unknown address', { ...credentials, email: 'unknown@example.com' }],
    ['no address at all', { ...credentials, email: '' }],
    ['an address that PostgreSQL cannot read', { ...credentials, email: 'login@example.com\u0000' }],
    ['a pattern', { ...credentials, email: '%@example.com' }],
    ['an empty password', { ...credentials, password: '' }],
    ['a password beyond the limit', { ...credentials, password: PASSWORD.padEnd(100_000, 'x') }],
  ])('gives the same refusal for %s', async (_, input) => {
    await expect(logIn(fixture().ctx, input)).rejects.toMatchObject(refused);
  });

  it('refuses an account that has no password', async () => {
    await database.db('users').insert({ email: 'github-only@example.com', password_hash: null });
    await expect(logIn(fixture().ctx, { email: 'github-only@example.com', password: '' })).rejects.toMatchObject(
      refused,
    );
  });
});

describe('finding the viewer', () => {
  it('finds nobody without a token, or with one that has expired or is forged', async () => {
    const { ctx, wait } = fixture({ sessionTtl: 60_000 });
    const { token } = await register(ctx, { email: 'viewer@example.com', password: PASSWORD }, LOW_COST);
    expect(await findViewer(ctx, null)).toBeNull();
    expect(await findViewer(ctx, `${token}x`)).toBeNull();
    expect(await findViewer(ctx, token)).not.toBeNull();
    wait(60_000);
    expect(await findViewer(ctx, token)).toBeNull();
  });

  it('finds nobody for a token of another session version', async () => {
    const { ctx } = fixture();
    const { token, user } = await register(ctx, { email: 'version@example.com', password: PASSWORD }, LOW_COST);
    await database.db('users').where({ id: user.id }).update({ session_version: 2 });
    expect(await findViewer(ctx, token)).toBeNull();
  });

  it('finds nobody for a token whose account is gone', async () => {
    const { ctx } = fixture();
    const { token, user } = await register(ctx, { email: 'gone@example.com', password: PASSWORD }, LOW_COST);
    await database.db('users').where({ id: user.id }).delete();
    expect(await findViewer(ctx, token)).toBeNull();
  });

  it('is a bug without a resolved secret', async () => {
    const { ctx } = fixture({ jwtSecret: null });
    await expect(findViewer(ctx, 'x')).rejects.toThrow('not resolved');
  });
});
