/** The services whose accounts can be linked. */
export type AccountProvider = 'github';

/** What speaks for a person at another service; kept encrypted (spec 2.11). */
export type AccountTokens = {
  accessToken: string;
  /** Null: the access token can't be renewed. */
  refreshToken: string | null;
  tokenType: string | null;
  scope: string | null;
  /** Null: the access token does not end by itself. */
  expiresAt: Date | null;
};

/** Who signed in at another service, as that service tells. */
export type ExternalIdentity = {
  provider: AccountProvider;
  accountId: string;
  name: string | null;
  image: string | null;
  /** Addresses that the service says are proven to be this person's, the preferred one first. */
  verifiedEmails: string[];
  /** Addresses that nobody vouches for, in the order in which a new account would take them. */
  otherEmails: string[];
  tokens: AccountTokens;
};

/** A linked account with what is needed to speak for its owner. */
export type LinkedAccount = {
  id: string;
  accountId: string;
  tokens: AccountTokens;
};
