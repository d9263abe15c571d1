import { AppError } from '../errors.ts';

/** @param wait milliseconds until the next attempt may come */
export function tooManyAttempts(wait: number): AppError {
  const retryAfter = Math.max(1, Math.ceil(wait / 1000));
  return new AppError('rate_limited', 'Too many attempts', { code: 'rate_limited', retryAfter });
}
