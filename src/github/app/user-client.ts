import type { Context } from '../../context.ts';
import { AppError, messageOf } from '../../errors.ts';
import { createGitHub, statusOf } from './github-client.ts';
import type { GitHub } from './github-client.ts';
import { askedToWait } from './rate-limit.ts';

/** GitHub's API as a person sees it; without a token, as anybody does. A person waits, so it does not wait for limits. */
export function userClient(ctx: Pick<Context, 'config' | 'log'>, token: string | null): GitHub {
  const auth = token === null ? {} : { auth: { token } };
  return createGitHub(ctx, { ...auth, throttle: { enabled: false } });
}

const REFUSALS = [400, 401, 403, 404];

/** Octokit gives each of its failures a status, also where no answer came. */
const isOctokits = (error: unknown) => error instanceof Error && 'status' in error;

/**
 * What GitHub answers to a person who waits; null where it refuses: the token has been revoked, or may not see the thing.
 * @throws AppError unavailable, when GitHub can't answer now.
 */
export async function unlessRefused<T>(
  { log, clock }: Pick<Context, 'log' | 'clock'>,
  ask: () => Promise<T>,
): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (!isOctokits(error)) throw error;
    const status = statusOf(error);
    const wait = askedToWait(error, clock.now());
    if (status !== null && REFUSALS.includes(status) && wait === null) return null;
    // Not the error itself: it carries the request, whose body may hold the client's secret.
    log.warn({ status, wait, reason: messageOf(error) }, 'GitHub did not respond');
    throw new AppError('unavailable', 'GitHub cannot be reached', {
      code: 'github_unavailable',
      ...(wait === null ? {} : { retryAfter: Math.ceil(wait / 1000) }),
    });
  }
}
