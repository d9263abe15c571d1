/** The services whose accounts can be linked. */
export type AccountProvider = 'github' | 'oidc';

/** The tokens that allow acting for a person at another service. They are stored encrypted. */
export type AccountTokens = {
  accessToken: string;
  /** Null: the access token can't be renewed. */
  refreshToken: string | null;
  tokenType: string | null;
  scope: string | null;
  /** Null: the access token does not expire. */
  expiresAt: Date | null;
};

/** Who signed in at another service, according to that service. */
export type ExternalIdentity = {
  provider: AccountProvider;
  accountId: string;
  /** What the service calls the person, such as `octocat`. */
  login: string;
  name: string | null;
  image: string | null;
  /** Email addresses that the service has verified as this person's, the preferred one first. */
  verifiedEmails: string[];
  /** Unverified email addresses, in the order in which a new account would use them. */
  otherEmails: string[];
  /** Null: nothing is done in the person's name at the service. */
  tokens: AccountTokens | null;
  /** The operator lets people of this service in, so they get an account although registration is closed. */
  mayRegister: boolean;
};

/** A linked account with the tokens needed to act for its owner. */
export type LinkedAccount = {
  id: string;
  accountId: string;
  tokens: AccountTokens;
};

/** An account of another service that signs its owner in here. */
export type AccountLink = {
  id: string;
  provider: string;
  accountId: string;
  login: string | null;
  linkedAt: Date;
};
