/**
 * Whether `error` carries one of these codes (`ENOENT`, a SQLSTATE). Asks for the field and not for `instanceof Error`:
 * an error that Node's core makes is of another realm inside a test environment.
 */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.some((code) => codeOf(error) === code);
}

/** The code of whatever was thrown; null when it has none. */
export function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
