import type { Context } from '../context.ts';
import { findAccount, findAccounts, findLinkedUserId, replaceTokens } from './account-store.ts';
import type { AccountRow } from './account-store.ts';
import type { AccountProvider, AccountTokens, LinkedAccount } from './account.ts';
import { openTokens, sealTokens } from './seal-tokens.ts';
import { findIdentity } from './user-store.ts';
import type { User } from './user.ts';

type AuthContext = Pick<Context, 'config' | 'db'>;

/** Who linked this account of another service: for what arrives with no session. Null: nobody did. */
export async function findUserOfAccount(
  { db }: Pick<Context, 'db'>,
  provider: AccountProvider,
  accountId: string,
): Promise<User | null> {
  const userId = await findLinkedUserId(db, { provider, providerAccountId: accountId });
  return userId === null ? null : ((await findIdentity(db, userId))?.user ?? null);
}

function linkedAccount({ config }: AuthContext, row: AccountRow): LinkedAccount | null {
  const tokens = openTokens(config, row);
  return tokens === null ? null : { id: row.id, accountId: row.providerAccountId, tokens };
}

/** The user's accounts at another service, oldest first; one whose tokens can't be read any more is left out. */
export async function listLinkedAccounts(
  ctx: AuthContext,
  userId: string,
  provider: AccountProvider,
): Promise<LinkedAccount[]> {
  const rows = await findAccounts(ctx.db, userId, provider);
  return rows.flatMap((row) => linkedAccount(ctx, row) ?? []);
}

/**
 * Gets new tokens for an account by `renew`, which is asked outside any transaction. A refresh token works once: of two
 * that renew at the same moment one is refused, and takes what the other stored.
 * @returns null where nobody could renew them
 */
export async function renewTokens(
  ctx: AuthContext,
  { id }: LinkedAccount,
  renew: (refreshToken: string) => Promise<AccountTokens | null>,
): Promise<AccountTokens | null> {
  const row = await findAccount(ctx.db, id);
  const held = row === null ? null : openTokens(ctx.config, row);
  if (row === null || held === null || held.refreshToken === null) return null;
  const renewed = await renew(held.refreshToken);
  if (renewed !== null && (await replaceTokens(ctx.db, row, sealTokens(ctx.config, renewed)))) return renewed;
  const now = await findAccount(ctx.db, id);
  return now === null || now.accessToken === row.accessToken ? null : openTokens(ctx.config, now);
}
