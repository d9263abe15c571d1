import type { SelectedRow } from '../db/query.ts';

export const MANAGED_COLUMNS = [
  'id',
  'email',
  'name',
  'image',
  // Null: no administrator.
  'administrator',
  // Null: may sign in.
  'disabled_at',
  'created_at',
] as const;

/** An account as administrators see it. */
export type ManagedAccount = SelectedRow<'users', typeof MANAGED_COLUMNS> & {
  /** Precise to some minutes. Null: no session is left. */
  lastSeenAt: Date | null;
};

/** Why an account is an administrator: a person named it, or it is in a group of the identity provider that does. */
export type AdministratorBy = NonNullable<ManagedAccount['administrator']>;

/** In characters. */
export const ACCOUNT_SEARCH_MAX_LENGTH = 200;
