import { createHash } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { signOutEverywhere } from '../../src/auth/change-account.ts';
import { changePassword } from '../../src/auth/passwords/change-password.ts';
import { register } from '../../src/auth/register.ts';
import { findViewer } from '../../src/auth/sessions/start-session.ts';
import { createSignInLink, redeemSignInLink, signInAddress } from '../../src/auth/sign-in-link.ts';
import { setPassword } from '../../src/auth/user-store.ts';
import type { Viewer } from '../../src/auth/user.ts';
import { createTestDatabase } from '../support/database.ts';
import { authContext, LOW_COST, PASSWORD } from './auth-fixture.ts';

const MINUTE = 60_000;

const database = await createTestDatabase();
afterAll(() => database.drop());

let world: ReturnType<typeof authContext>;
let viewer: Viewer;
beforeEach(async () => {
  await database.db('users').delete();
  world = authContext(database.db);
  viewer = (await register(world.ctx, { email: 'ada@example.com', password: PASSWORD }, LOW_COST)).user;
});

const create = async () => createSignInLink(world.ctx, viewer);
const redeem = async (token: string) => redeemSignInLink(world.ctx, token);
const rows = async () => database.db('sign_in_links').select('*');
const refused = {
  kind: 'invalid',
  message: 'The sign-in link is no longer valid',
  details: { code: 'sign_in_link_invalid' },
};

describe('a sign-in link', () => {
  it('signs in whoever made it', async () => {
    const { token } = await create();
    const session = await redeem(token);
    expect(session.user).toEqual(viewer);
    expect(await findViewer(world.ctx, session.token)).toMatchObject(viewer);
  });

  it('works once, also when it is opened twice at the same moment', async () => {
    const { token } = await create();
    const opened = await Promise.allSettled([redeem(token), redeem(token), redeem(token)]);
    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(redeem(token)).rejects.toMatchObject(refused);
  });

  it('lapses after 15 minutes', async () => {
    const { token, expiresAt } = await create();
    expect(expiresAt).toEqual(new Date(world.ctx.clock.now().getTime() + 15 * MINUTE));
    world.wait(15 * MINUTE);
    await expect(redeem(token)).rejects.toMatchObject(refused);
  });

  it.each(['', 'x', '\u0000', 'x'.repeat(10_000)])('is not %j', async (token) => {
    await expect(redeem(token)).rejects.toMatchObject(refused);
  });

  it('is stored as its SHA-256 only, and goes when it has lapsed and another is made', async () => {
    const { token } = await create();
    const [row] = await rows();
    expect(row.tokenHash).toBe(createHash('sha256').update(token).digest('hex'));
    expect(JSON.stringify(row)).not.toContain(token);
    world.wait(15 * MINUTE);
    await create();
    expect((await rows()).map(({ id }) => id)).not.toContain(row.id);
  });

  it('leaves another open one as it is', async () => {
    const [first, second] = [await create(), await create()];
    await redeem(second.token);
    expect((await redeem(first.token)).user.id).toBe(viewer.id);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['was reset', async () => setPassword(database.db, viewer.id, 'hash')],
    [
      'was changed',
      async () => changePassword(world.ctx, viewer, { current: PASSWORD, password: 'staple battery' }, LOW_COST),
    ],
    ['was signed out everywhere', async () => signOutEverywhere(world.ctx, viewer)],
  ])('is void once the account’s password %s', async (_, happen) => {
    const { token } = await create();
    await happen();
    await expect(redeem(token)).rejects.toMatchObject(refused);
    expect((await redeem((await create()).token)).user.id).toBe(viewer.id);
  });

  it('is not made for an account that is gone', async () => {
    await database.db('users').delete();
    await expect(create()).rejects.toMatchObject({ kind: 'unauthenticated' });
  });

  it('has an address under the public one', () => {
    expect(signInAddress('https://gate.example', 'abc')).toBe('https://gate.example/sign-in/abc');
  });
});
