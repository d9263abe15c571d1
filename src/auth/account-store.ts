import { toColumns } from '../db/camel-case.ts';
import type { Db } from '../db/database.ts';
import type { SelectedRow } from '../db/query.ts';
import type { AccountLink, AccountProvider, ExternalIdentity } from './account.ts';

const COLUMNS = [
  'id',
  'user_id',
  'provider_account_id',
  'access_token',
  'refresh_token',
  'token_type',
  'scope',
  'expires_at',
] as const;
export type AccountRow = SelectedRow<'accounts', typeof COLUMNS>;

/** Tokens as they are stored: encrypted, with the expiry in seconds of Unix time. */
export type StoredTokens = Omit<AccountRow, 'id' | 'userId' | 'providerAccountId'>;

/** The user to whom an account of another service is linked. */
export async function findLinkedUserId(
  db: Db,
  { provider, accountId }: Pick<ExternalIdentity, 'provider' | 'accountId'>,
): Promise<string | null> {
  const row = await db('accounts').where({ provider, provider_account_id: accountId }).first('user_id');
  return row?.userId ?? null;
}

/** Returns false when the account is linked to another user. That link stays. */
export async function saveAccount(
  db: Db,
  { provider, accountId, login }: Pick<ExternalIdentity, 'provider' | 'accountId' | 'login'>,
  userId: string,
  tokens: StoredTokens,
): Promise<boolean> {
  const saved = await db('accounts')
    .insert({
      user_id: userId,
      type: 'oauth',
      provider,
      provider_account_id: accountId,
      login,
      ...toColumns(tokens),
    })
    .onConflict(['provider', 'provider_account_id'])
    .merge({ login, ...toColumns(tokens), updated_at: db.fn.now() })
    .where('accounts.user_id', userId)
    .returning('id');
  return saved.length === 1;
}

/** Oldest first. */
export async function findAccounts(db: Db, userId: string, provider: AccountProvider): Promise<AccountRow[]> {
  return db('accounts').where({ user_id: userId, provider }).orderBy('created_at').orderBy('id').select(COLUMNS);
}

/** Every link of the user, oldest first. */
export async function findLinks(db: Db, userId: string): Promise<AccountLink[]> {
  return db('accounts')
    .where({ user_id: userId })
    .orderBy('created_at')
    .orderBy('id')
    .select('id', 'provider', 'provider_account_id as account_id', 'login', 'created_at as linked_at');
}

export async function deleteLink(db: Db, userId: string, id: string): Promise<void> {
  await db('accounts').where({ user_id: userId, id }).delete();
}

/** The ids that follow `after`, in order. */
export async function findAccountIds(db: Db, after: string | null, limit: number): Promise<{ id: string }[]> {
  const query = db('accounts').orderBy('id').limit(limit).select('id');
  return after === null ? query : query.where('id', '>', after);
}

/** Locks the account to the end of the transaction. */
export async function lockAccount(trx: Db, id: string): Promise<AccountRow | null> {
  return trx('accounts').where({ id }).forUpdate().first(COLUMNS);
}

export async function replaceTokens(trx: Db, id: string, tokens: StoredTokens): Promise<void> {
  await trx('accounts')
    .where({ id })
    .update({ ...toColumns(tokens), updated_at: trx.fn.now() });
}
