import jwt from 'jsonwebtoken';
import { z } from 'zod';
import type { TokenLimits, WorkflowLimits } from '../viewer.ts';
import { TOKEN_SCOPES, WORKFLOW_PREFIX } from './api-token.ts';

/** The person for whom a workflow acts, and its limits. */
export type WorkflowGrant = { userId: string; within: TokenLimits & { workflow: WorkflowLimits } };

const LIFE_SECONDS = 15 * 60;

const ALGORITHM = 'HS256';
/** Distinguishes these tokens from anything else that is signed with the same secret. */
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

const toSeconds = (date: Date) => Math.floor(date.getTime() / 1000);

/** Signed and not stored: it ends by itself, after 15 minutes. */
export function issueWorkflowToken(
  secret: string,
  { userId, within }: WorkflowGrant,
  now: Date,
): { token: string; expiresAt: Date } {
  const iat = toSeconds(now);
  const exp = iat + LIFE_SECONDS;
  const signed = jwt.sign({ sub: userId, within, aud: AUDIENCE, iat, exp }, secret, { algorithm: ALGORITHM });
  return { token: WORKFLOW_PREFIX + signed, expiresAt: new Date(exp * 1000) };
}

/** Null for anything but such a token that this service signed and that is valid at `now`. */
export function readWorkflowToken(secret: string, token: string, now: Date): WorkflowGrant | null {
  try {
    const verified = jwt.verify(token.slice(WORKFLOW_PREFIX.length), secret, {
      algorithms: [ALGORITHM],
      audience: AUDIENCE,
      clockTimestamp: toSeconds(now),
    });
    const claims = Claims.safeParse(verified);
    return claims.success ? { userId: claims.data.sub, within: claims.data.within } : null;
  } catch {
    // All errors are about the token.
    return null;
  }
}
