/** Why an account is an administrator: a person named it, or it is in a group of the identity provider that does. */
export type AdministratorBy = 'NAMED' | 'GROUP';

/** An account as administrators see it. */
export type ManagedAccount = {
  id: string;
  email: string;
  name: string | null;
  image: string | null;
  /** Null: no administrator. */
  administrator: AdministratorBy | null;
  /** Null: may sign in. */
  disabledAt: Date | null;
  /** Precise to some minutes. Null: no session is left. */
  lastSeenAt: Date | null;
  createdAt: Date;
};

/** In characters. */
export const ACCOUNT_SEARCH_MAX_LENGTH = 200;
