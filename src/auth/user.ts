import { z } from 'zod';
import type { SelectedRow } from '../db/query.ts';

/** The email address is trimmed, in the case used at registration. */
export const USER_COLUMNS = ['id', 'email', 'name', 'image', 'created_at', 'updated_at'] as const;

/** An account as its owner may see it, without the password. */
export type User = SelectedRow<'users', typeof USER_COLUMNS>;

/** An account as others may see it: an owner, an approver, someone a suite is shared with. */
export const UserSummary = z.object({
  id: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  image: z.string().nullable(),
});
export type UserSummary = z.output<typeof UserSummary>;

/** Stands for the name of an account that is gone, in lists and sentences alike. */
export const DELETED_USER = 'Deleted user';

/** The person's name. */
export const displayName = ({ name, email }: Pick<User, 'name' | 'email'>): string => name ?? email;

/** The same, as others may see the account. Null: it is gone. */
export const knownName = (user: Pick<UserSummary, 'name' | 'email'> | null): string | null =>
  user?.name ?? user?.email ?? null;

/** The same, where somebody must be named. */
export const personName = (user: Pick<UserSummary, 'name' | 'email'> | null): string => knownName(user) ?? DELETED_USER;

export function toUserSummary({ id, name, email, image }: UserSummary): UserSummary {
  return { id, name, email, image };
}

/** In characters. */
export const NAME_MAX_LENGTH = 200;

export const NAME_RULE = `must be at most ${NAME_MAX_LENGTH} characters, without control characters`;

/** Trims the name. A name of only blanks becomes null. */
export function normalizeName(name: string | null | undefined): string | null {
  const trimmed = (name ?? '').trim();
  return trimmed === '' ? null : trimmed;
}

export function isNameAllowed(name: string): boolean {
  return name.length <= NAME_MAX_LENGTH && !/[\p{Cc}\p{Cs}]/u.test(name);
}
