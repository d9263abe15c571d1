import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';

/** `failure`: what the page shows in place of the data. `isRefused`: signing in with GitHub may help. */
type Answer<T> = { found: T; failure: null } | { found: null; failure: string; isRefused: boolean };

/**
 * For pages that work without GitHub.
 * @param doing what failed if GitHub fails, in the log
 */
export async function askGitHub<T>(
  { log }: Pick<Context, 'log'>,
  doing: string,
  ask: () => Promise<T>,
  about: { suiteId?: string } = {},
): Promise<Answer<T>> {
  try {
    return { found: await ask(), failure: null };
  } catch (error) {
    log.warn({ err: error, ...about }, doing);
    if (!(error instanceof AppError)) {
      return { found: null, failure: 'GitHub did not respond. Try again in a minute.', isRefused: false };
    }
    return { found: null, failure: error.message, isRefused: error.kind === 'forbidden' };
  }
}
