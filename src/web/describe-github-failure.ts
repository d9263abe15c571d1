import { AppError } from '../errors.ts';

/** For a page that can do without GitHub: it shows this sentence in place of what GitHub did not send. */
export function describeGitHubFailure(error: unknown): string {
  return error instanceof AppError ? error.message : 'GitHub did not respond. Try again in a minute.';
}
