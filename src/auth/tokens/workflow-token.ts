import { z } from 'zod';
import { readClaims, signClaims, toSeconds } from '../signed-claims.ts';
import { TOKEN_SCOPES, type TokenLimits, type WorkflowLimits } from '../user.ts';
import { WORKFLOW_PREFIX } from './api-token.ts';

/** The person for whom a workflow acts, and its limits. */
export type WorkflowGrant = { userId: string; within: TokenLimits & { workflow: WorkflowLimits } };

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
