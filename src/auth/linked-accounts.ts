import type { Context } from '../context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { findAccounts, findLinkedUserId, lockAccount, replaceTokens, type AccountRow } from './account-store.ts';
import type { AccountProvider, AccountTokens, LinkedAccount } from './account.ts';
import { openTokens, sealTokens } from './seal-tokens.ts';
import { findIdentity } from './user-store.ts';
import type { User } from './user.ts';

type AuthContext = Pick<Context, 'config' | 'db'>;

/** The user who linked this account of another service, for requests that have no session. Null: nobody who may sign in. */
export async function findUserOfAccount(
  { db }: Pick<Context, 'db'>,
  provider: AccountProvider,
  accountId: string,
): Promise<User | null> {
  const userId = await findLinkedUserId(db, { provider, providerAccountId: accountId });
  const identity = userId === null ? null : await findIdentity(db, userId);
  return identity === null || identity.isDisabled ? null : identity.user;
}

function linkedAccount({ config }: AuthContext, row: AccountRow): LinkedAccount | null {
  const tokens = openTokens(config, row);
  return tokens === null ? null : { id: row.id, accountId: row.providerAccountId, tokens };
}

/** The user's accounts at another service, oldest first, without those whose tokens can no longer be decrypted. */
export async function listLinkedAccounts(
  ctx: AuthContext,
  userId: string,
  provider: AccountProvider,
): Promise<LinkedAccount[]> {
  const rows = await findAccounts(ctx.db, userId, provider);
  return rows.flatMap((row) => linkedAccount(ctx, row) ?? []);
}

/**
 * Gets new tokens for an account with `renew`. A refresh token works only once, so the row is locked meanwhile. This is
 * the one transaction that spans a call to another service. Another process waits, and gets what the first one stored.
 * @param renew must come to an end within seconds
 * @returns null when the tokens could not be renewed
 */
export async function renewTokens(
  ctx: AuthContext,
  { id, tokens }: LinkedAccount,
  renew: (refreshToken: string) => Promise<AccountTokens | null>,
): Promise<AccountTokens | null> {
  return inTransaction(ctx.db, async (trx) => {
    const row = await lockAccount(trx, id);
    const held = row === null ? null : openTokens(ctx.config, row);
    if (held === null || held.accessToken !== tokens.accessToken) return held;
    if (held.refreshToken === null) return null;
    const renewed = await renew(held.refreshToken);
    if (renewed !== null) await replaceTokens(trx, id, sealTokens(ctx.config, renewed));
    return renewed;
  });
}
