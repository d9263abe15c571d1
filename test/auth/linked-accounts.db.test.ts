import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { AccountTokens, LinkedAccount } from '../../src/auth/account.ts';
import {
  findUserOfAccount,
  listLinkedAccounts,
  readLinks,
  renewTokens,
  unlinkAccount,
} from '../../src/auth/change-account.ts';
import { signInWithAccount } from '../../src/auth/sign-in-with-account.ts';
import { setPassword } from '../../src/auth/user-store.ts';
import type { User } from '../../src/auth/user.ts';
import { connect } from '../../src/db/connect.ts';
import { createLogger } from '../../src/logger.ts';
import { createTestDatabase } from '../support/database.ts';
import { authContext } from './auth-fixture.ts';

const database = await createTestDatabase();
afterAll(async () => {
  await database.drop();
});

const tokensNamed = (name: string): AccountTokens => ({
  accessToken: `access-${name}`,
  refreshToken: `refresh-${name}`,
  tokenType: 'bearer',
  scope: '',
  expiresAt: new Date('2030-01-02T03:04:05Z'),
});

let people = 0;

async function newcomer(): Promise<{ user: User; account: LinkedAccount; accountId: string }> {
  people += 1;
  const { ctx } = authContext(database.db);
  const accountId = String(people);
  const { user } = await signInWithAccount(
    ctx,
    {
      provider: 'github',
      accountId,
      login: `person-${people}`,
      name: null,
      image: null,
      verifiedEmails: [],
      otherEmails: [`person-${people}@example.com`],
      mayRegister: false,
      tokens: tokensNamed('first'),
    },
    null,
  );
  const [account] = await listLinkedAccounts(ctx, user.id);
  if (account === undefined) throw new Error('The account was not linked');
  return { user, account, accountId };
}

describe('a linked account', () => {
  it('tells whose it is, and gives its tokens back as they were', async () => {
    const { ctx } = authContext(database.db);
    const { user, account, accountId } = await newcomer();
    expect(await findUserOfAccount(ctx, accountId)).toEqual(user);
    expect(await findUserOfAccount(ctx, 'nobody')).toBeNull();
    expect(account).toEqual({ id: account.id, accountId, tokens: tokensNamed('first') });
  });

  it('speaks for nobody under another secret', async () => {
    const { user } = await newcomer();
    const { ctx } = authContext(database.db, { jwtSecret: 'another secret of thirty-two bytes' });
    expect(await listLinkedAccounts(ctx, user.id)).toEqual([]);
  });

  it('goes with its user', async () => {
    const { ctx } = authContext(database.db);
    const { user, accountId } = await newcomer();
    await database.db('users').where({ id: user.id }).delete();
    expect(await findUserOfAccount(ctx, accountId)).toBeNull();
  });
});

describe('renewing tokens', () => {
  it('keeps the new ones', async () => {
    const { ctx } = authContext(database.db);
    const { user, account } = await newcomer();
    const asked: string[] = [];
    const renewed = await renewTokens(ctx, account, async (refreshToken) => {
      asked.push(refreshToken);
      return tokensNamed('second');
    });
    expect([asked, renewed]).toEqual([['refresh-first'], tokensNamed('second')]);
    const [kept] = await listLinkedAccounts(ctx, user.id);
    expect(kept?.tokens).toEqual(tokensNamed('second'));
  });

  it('is done once by all processes, as a refresh token works once, and the others get what the first one got', async () => {
    const { ctx } = authContext(database.db);
    const other = connect(database.url, { maxConnections: 2, log: createLogger('silent') });
    const { user, account } = await newcomer();
    let asked = 0;
    const waits = async () =>
      (
        await database.db.raw(
          "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        )
      ).rowCount === 1;
    const isJoined = async () => asked > 1 || (await waits());
    const renew = async (): Promise<AccountTokens | null> => {
      asked += 1;
      if (asked > 1) return null;
      // The answer comes once the other process has asked too, or waits for it.
      while (!(await isJoined())) await setImmediate();
      return tokensNamed('faster');
    };
    const both = [renewTokens(ctx, account, renew), renewTokens({ ...ctx, db: other }, account, renew)];
    expect(await Promise.all(both)).toEqual([tokensNamed('faster'), tokensNamed('faster')]);
    expect(asked).toBe(1);
    const [kept] = await listLinkedAccounts(ctx, user.id);
    expect(kept?.tokens).toEqual(tokensNamed('faster'));
    await other.destroy();
  });

  it('gives none when it is refused, or when there is nothing to renew them with', async () => {
    const { ctx } = authContext(database.db);
    const { account } = await newcomer();
    expect(await renewTokens(ctx, account, async () => null)).toBeNull();
    const last = { ...tokensNamed('last'), refreshToken: null };
    await renewTokens(ctx, account, async () => last);
    const never = async (): Promise<never> => {
      throw new Error('Nothing was there to renew with');
    };
    expect(await renewTokens(ctx, { ...account, tokens: last }, never)).toBeNull();
  });
});

describe('unlinking an account', () => {
  it('is refused where it is the only way in, and not where there is a password', async () => {
    const { ctx } = authContext(database.db);
    const { user, account } = await newcomer();
    await expect(unlinkAccount(ctx, user, account.id)).rejects.toMatchObject({ details: { code: 'only_sign_in' } });
    expect(await readLinks(ctx, user)).toMatchObject([{ id: account.id, login: `person-${people}` }]);
    await setPassword(database.db, user.id, 'a hash');
    await unlinkAccount(ctx, user, account.id);
    expect(await readLinks(ctx, user)).toEqual([]);
  });

  it('is not done to the account of another user', async () => {
    const { ctx } = authContext(database.db);
    const [mine, theirs] = [await newcomer(), await newcomer()];
    await expect(unlinkAccount(ctx, mine.user, theirs.account.id)).rejects.toMatchObject({ kind: 'not_found' });
    expect(await readLinks(ctx, theirs.user)).toHaveLength(1);
  });

  it('leaves one of two that are unlinked at the same moment', async () => {
    const { ctx } = authContext(database.db);
    const { user, account } = await newcomer();
    people += 1;
    const second = { provider: 'github' as const, accountId: String(people), login: 'second', name: null, image: null };
    const emails = { verifiedEmails: [], otherEmails: [], mayRegister: false };
    await signInWithAccount(ctx, { ...second, ...emails, tokens: tokensNamed('second') }, user);
    const ids = (await readLinks(ctx, user)).map(({ id }) => id);
    expect(ids).toEqual([account.id, expect.any(String)]);
    const unlinked = await Promise.allSettled(ids.map(async (id) => unlinkAccount(ctx, user, id)));
    expect(unlinked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readLinks(ctx, user)).toHaveLength(1);
  });
});
