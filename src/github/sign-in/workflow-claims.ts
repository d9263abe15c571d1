import { z } from 'zod';
import { verifyIdentityToken } from '../../auth/tokens/verify-identity-token.ts';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { actionsIssuer } from '../app/addresses.ts';

/** What GitHub confirms about a job of a workflow. */
const Claims = z.object({
  /** `owner/repo` at the time. The name may belong to another repository later, so it is only displayed. */
  repository: z.string(),
  repository_id: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
  event_name: z.string(),
  ref: z.string(),
  sha: z
    .string()
    .toLowerCase()
    .regex(/^[0-9a-f]{40,64}$/),
  run_id: z.string().optional(),
});

export type WorkflowClaims = z.output<typeof Claims>;

/**
 * @throws AppError unauthenticated: GitHub did not issue the token, or not for this service, or it is too old; unavailable.
 */
export async function readWorkflowClaims(
  ctx: Pick<Context, 'config' | 'network' | 'clock' | 'log' | 'issuerKeys'>,
  token: string,
): Promise<WorkflowClaims> {
  const audience = new URL(ctx.config.publicUrl).origin;
  const claims = await verifyIdentityToken(ctx, token, { issuer: actionsIssuer(ctx.config), audience });
  const parsed = Claims.safeParse(claims);
  if (parsed.success) return parsed.data;
  throw new AppError('unauthenticated', 'The identity token was rejected: it is not from a GitHub workflow', {
    code: 'identity_token_refused',
  });
}

/** The number in `refs/pull/7/merge`. Null: the event is not about a pull request. */
export function readPullRequestNumber({ event_name: event, ref }: WorkflowClaims): number | null {
  if (event !== 'pull_request') return null;
  const [, number] = /^refs\/pull\/(\d{1,9})\/merge$/.exec(ref) ?? [];
  return number === undefined ? null : Number(number);
}
