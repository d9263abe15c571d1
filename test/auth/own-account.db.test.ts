import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { changeName, signOutEverywhere } from '../../src/auth/change-account.ts';
import { hashOneTimeToken } from '../../src/auth/one-time-token.ts';
import { changePassword, resetPassword } from '../../src/auth/passwords/change-password.ts';
import { logIn } from '../../src/auth/passwords/log-in.ts';
import { register } from '../../src/auth/register.ts';
import { findViewer, type Session } from '../../src/auth/sessions/start-session.ts';
import { createTestDatabase } from '../support/database.ts';
import { authContext, LOW_COST, PASSWORD } from './auth-fixture.ts';

const EMAIL = 'ada@example.com';
const NEW_PASSWORD = 'staple battery';

const database = await createTestDatabase();
afterAll(() => database.drop());

let ctx: ReturnType<typeof authContext>['ctx'];
let session: Session;
beforeEach(async () => {
  await database.db('users').delete();
  ({ ctx } = authContext(database.db));
  session = await register(ctx, { email: EMAIL, password: PASSWORD, name: 'Ada' }, LOW_COST);
});

const change = async (current: string, password: string) =>
  changePassword(ctx, session.user, { current, password }, LOW_COST);
const users = async () => database.db('users').orderBy('id').select('*');
const issueAt = (path: string) => ({ kind: 'invalid', details: { issues: [{ path, message: expect.any(String) }] } });

describe('changing the password', () => {
  it('signs every session out but the one that asked', async () => {
    const other = await logIn(ctx, { email: EMAIL, password: PASSWORD });
    const { token } = await change(PASSWORD, NEW_PASSWORD);
    expect(await findViewer(ctx, other.token)).toBeNull();
    expect(await findViewer(ctx, session.token)).toBeNull();
    expect((await findViewer(ctx, token))?.id).toBe(session.user.id);
    await expect(logIn(ctx, { email: EMAIL, password: PASSWORD })).rejects.toMatchObject({ kind: 'unauthenticated' });
    expect((await logIn(ctx, { email: EMAIL, password: NEW_PASSWORD })).user.id).toBe(session.user.id);
  });

  it.each([
    ['current', 'wrong password', NEW_PASSWORD],
    ['current', '', NEW_PASSWORD],
    ['password', PASSWORD, 'short'],
    ['password', PASSWORD, 'x'.repeat(73)],
  ])('names the field %s, and changes nothing, for %j and %j', async (field, current, password) => {
    const before = await users();
    await expect(change(current, password)).rejects.toMatchObject(issueAt(field));
    expect(await users()).toEqual(before);
  });

  it('sends an account without a password to the reset link', async () => {
    await database.db('users').update({ password_hash: null });
    await expect(change('', NEW_PASSWORD)).rejects.toMatchObject(issueAt('current'));
    await expect(change('', NEW_PASSWORD)).rejects.toMatchObject({
      details: { issues: [{ message: expect.stringContaining('Forgot password') }] },
    });
  });

  it('kills the reset links that were asked for before', async () => {
    const token = 'asked for before';
    const link = { user_id: session.user.id, token_hash: hashOneTimeToken(token), expires_at: '2099-01-01' };
    await database.db('password_reset_tokens').insert(link);
    await change(PASSWORD, NEW_PASSWORD);
    const reset = resetPassword(ctx, { token, password: 'a third password' }, LOW_COST);
    await expect(reset).rejects.toMatchObject({ details: { code: 'invalid_reset_token' } });
  });

  it('happens once of twice at the same moment', async () => {
    const changes = await Promise.allSettled([change(PASSWORD, NEW_PASSWORD), change(PASSWORD, 'another password')]);
    expect(changes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('changing the name', () => {
  it.each([
    [' Ada Lovelace ', 'Ada Lovelace'],
    ['  ', null],
    [null, null],
  ])('from %j makes %j', async (name, expected) => {
    expect((await changeName(ctx, session.user, name)).name).toBe(expected);
    expect((await findViewer(ctx, session.token))?.name).toBe(expected);
  });

  it.each(['x'.repeat(201), 'a\u0000b'])('refuses %j', async (name) => {
    await expect(changeName(ctx, session.user, name)).rejects.toMatchObject(issueAt('name'));
    expect((await findViewer(ctx, session.token))?.name).toBe('Ada');
  });
});

describe('signing out everywhere', () => {
  it('ends every session of the account, and of no other', async () => {
    const other = await register(ctx, { email: 'bob@example.com', password: PASSWORD }, LOW_COST);
    await signOutEverywhere(ctx, session.user);
    expect(await findViewer(ctx, session.token)).toBeNull();
    expect((await findViewer(ctx, other.token))?.id).toBe(other.user.id);
    const again = await logIn(ctx, { email: EMAIL, password: PASSWORD });
    expect((await findViewer(ctx, again.token))?.id).toBe(session.user.id);
  });
});
