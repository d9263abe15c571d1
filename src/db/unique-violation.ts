const UNIQUE_VIOLATION = '23505';

/** True when `error` says that a row would have broken the unique constraint (or unique index) of that name. */
export function violates(error: unknown, constraint: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === UNIQUE_VIOLATION &&
    'constraint' in error &&
    error.constraint === constraint
  );
}
