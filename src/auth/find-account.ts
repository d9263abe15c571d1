import type { Context } from '../context.ts';
import { findFirstUserId, findIdentity, findUserByEmail } from './user-store.ts';
import { toUserSummary, type UserSummary } from './user.ts';

/** Null: there is no such account. */
export async function findAccountById({ db }: Pick<Context, 'db'>, id: string): Promise<UserSummary | null> {
  const identity = await findIdentity(db, id);
  return identity === null ? null : toUserSummary(identity.user);
}

/** Compared without case. Null: there is no such account. */
export async function findAccountByEmail({ db }: Pick<Context, 'db'>, email: string): Promise<UserSummary | null> {
  const user = await findUserByEmail(db, email);
  return user === null ? null : toUserSummary(user);
}

/** False: the service is new, and nobody has an account yet. */
export async function hasUsers({ db }: Pick<Context, 'db'>): Promise<boolean> {
  return (await findFirstUserId(db)) !== null;
}
