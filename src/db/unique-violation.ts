import { hasCode } from '../errors.ts';

const UNIQUE_VIOLATION = '23505';

/** True when `error` reports a violation of the unique constraint (or unique index) with that name. */
export function violates(error: unknown, constraint: string): boolean {
  if (!hasCode(error, UNIQUE_VIOLATION)) return false;
  return typeof error === 'object' && error !== null && 'constraint' in error && error.constraint === constraint;
}
