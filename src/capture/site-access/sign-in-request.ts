import type { SentAccess } from '../../net/sent-access.ts';

export type SignInRequest = {
  /** Of the login page. */
  url: string;
  /** What the login page itself is behind. */
  access: SentAccess;
  fields: { selector: string; value: string }[];
  /** Null: Enter in the last field. */
  submit: string | null;
  /** What shows that it worked: a selector that appears, the path that the browser ends at (a glob), or both. */
  success: { selector?: string | undefined; path?: string | undefined };
  userAgent: string | null;
  /** Milliseconds for each step. */
  timeout: number;
};

/** What the browser keeps of a login, for the site's own origin. */
export type SignedIn = Pick<SentAccess, 'cookies' | 'localStorage'>;
