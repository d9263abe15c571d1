import type { Context } from '../../context.ts';
import { AppError, errorMessage } from '../../errors.ts';
import { createGitHub, readStatus, type GitHub } from './github-client.ts';
import { GitHubBusy, parseWait, readFailure } from './respect-rate-limits.ts';

/**
 * GitHub's API as a person sees it, or without a token as the public sees it. It does not wait for limits: a person
 * is waiting.
 */
export async function userClient(ctx: Pick<Context, 'config' | 'log'>, token: string | null): Promise<GitHub> {
  const auth = token === null ? {} : { auth: { token } };
  return createGitHub(ctx, { ...auth, throttle: { enabled: false } });
}

const REFUSALS = [400, 401, 403, 404];

/**
 * GitHub's answer for a person who is waiting. Null: GitHub refuses, because the token was revoked or may not see the
 * resource.
 * @throws AppError unavailable, when GitHub can't answer now.
 */
export async function unlessRefused<T>(
  { log, clock }: Pick<Context, 'log' | 'clock'>,
  ask: () => Promise<T>,
): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof GitHubBusy) {
      const retryAfter = Math.max(1, Math.ceil((error.until.getTime() - clock.now().getTime()) / 1000));
      const details = { code: 'github_unavailable', retryAfter };
      throw new AppError('unavailable', 'GitHub is not accepting requests right now', details);
    }
    if (readFailure(error) === null) throw error;
    const status = readStatus(error);
    const wait = parseWait(error, clock.now());
    if (status !== null && REFUSALS.includes(status) && wait === null) return null;
    // Not the error itself: it holds the request, and the body may contain the client secret.
    log.warn({ status, wait, reason: errorMessage(error) }, 'GitHub did not respond');
    throw new AppError('unavailable', 'GitHub cannot be reached', {
      code: 'github_unavailable',
      ...(wait === null ? {} : { retryAfter: Math.ceil(wait / 1000) }),
    });
  }
}
