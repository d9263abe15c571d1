import { AppError } from '../errors.ts';

/** For pages that work without GitHub. They show this message in place of the missing data. */
export function describeGitHubFailure(error: unknown): string {
  return error instanceof AppError ? error.message : 'GitHub did not respond. Try again in a minute.';
}
