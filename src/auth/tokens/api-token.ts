import { z } from 'zod';
import { readClaims, signClaims, toSeconds } from '../jwt-secret.ts';
import { TOKEN_SCOPES, type TokenLimits, type TokenScope, type UserSummary, type WorkflowLimits } from '../user.ts';

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
/** Of the short-lived tokens that workflows get, see `issueWorkflowToken`. */
export const WORKFLOW_PREFIX = 'pgw_';

/** False for the token of a session. */
export function isApiToken(text: string): boolean {
  return [PERSON_PREFIX, SUITE_PREFIX, WORKFLOW_PREFIX].some((prefix) => text.startsWith(prefix));
}

/** The person for whom a workflow acts, and its limits. */
type WorkflowGrant = { userId: string; within: TokenLimits & { workflow: WorkflowLimits } };

const LIFE_SECONDS = 15 * 60;

const AUDIENCE = 'pixelgate:workflow';

const Claims = z.object({
  sub: z.uuid(),
  exp: z.number(),
  within: z.object({
    suiteId: z.uuid(),
    scopes: z.array(z.enum(TOKEN_SCOPES)),
    workflow: z.object({
      repositoryId: z.int(),
      commits: z.array(z.string()),
      pullRequest: z.int().nullable(),
    }),
  }),
});

/** Signed and not stored: it ends by itself, after 15 minutes. */
export function issueWorkflowToken(
  secret: string,
  { userId, within }: WorkflowGrant,
  now: Date,
): { token: string; expiresAt: Date } {
  const iat = toSeconds(now);
  const exp = iat + LIFE_SECONDS;
  const signed = signClaims(secret, AUDIENCE, { sub: userId, within, iat, exp });
  return { token: WORKFLOW_PREFIX + signed, expiresAt: new Date(exp * 1000) };
}

/** Null for anything but such a token that this service signed and that is valid at `now`. */
export function readWorkflowToken(secret: string, token: string, now: Date): WorkflowGrant | null {
  const signed = token.slice(WORKFLOW_PREFIX.length);
  const claims = readClaims(secret, { audience: AUDIENCE, shape: Claims, now }, signed);
  return claims && { userId: claims.sub, within: claims.within };
}
