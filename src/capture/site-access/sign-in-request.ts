import type { SentAccess } from '../../net/sent-access.ts';

export type SignInRequest = {
  /** The address of the login page. */
  url: string;
  /** The access that the login page itself needs. */
  access: SentAccess;
  fields: { selector: string; value: string }[];
  /** Null: Enter in the last field. */
  submit: string | null;
  /** How to recognize success: a selector that appears, the path that the browser ends at (a glob), or both. */
  success: { selector?: string | undefined; path?: string | undefined };
  userAgent: string | null;
  /** Milliseconds for each step. */
  timeout: number;
};

/** What the browser keeps of a login, for the site's own origin. */
export type SignedIn = Pick<SentAccess, 'cookies' | 'localStorage'>;
