import type { TokenScope, UserSummary } from '../user.ts';

/** In characters. */
export const TOKEN_NAME_MAX_LENGTH = 100;

/** In days. */
export const TOKEN_LIFE = { least: 1, most: 730, usual: 90 } as const;

/** Maximum number of tokens of one person, and of one suite. */
export const TOKENS_MAX = 100;

/** A token for programs, without the secret. */
export type ApiToken = {
  id: string;
  name: string;
  /** Null: a person's own. */
  testSuiteId: string | null;
  /** null: everything the person can do. */
  scopes: TokenScope[] | null;
  /** Whose rights it has. */
  owner: UserSummary;
  expiresAt: Date;
  /** Precise to the minute. Null: never used. */
  lastUsedAt: Date | null;
  createdAt: Date;
};

/** The prefixes tell people, and tools that search for leaked secrets, what the text is. */
export const PERSON_PREFIX = 'pgu_';
export const SUITE_PREFIX = 'pgs_';
/** Of the short-lived tokens that workflows get, see `workflow-token.ts`. */
export const WORKFLOW_PREFIX = 'pgw_';

/** False for the token of a session. */
export function isApiToken(text: string): boolean {
  return [PERSON_PREFIX, SUITE_PREFIX, WORKFLOW_PREFIX].some((prefix) => text.startsWith(prefix));
}
