import type { Context } from '../context.ts';
import { findCredentialsByEmail, findCredentialsById } from './user-store.ts';
import { summaryOf } from './user.ts';
import type { UserSummary } from './user.ts';

/** Null: there is no such account. */
export async function findAccountById({ db }: Pick<Context, 'db'>, id: string): Promise<UserSummary | null> {
  const credentials = await findCredentialsById(db, id);
  return credentials === null ? null : summaryOf(credentials.user);
}

/** Compared without case. Null: there is no such account. */
export async function findAccountByEmail({ db }: Pick<Context, 'db'>, email: string): Promise<UserSummary | null> {
  const credentials = await findCredentialsByEmail(db, email);
  return credentials === null ? null : summaryOf(credentials.user);
}
