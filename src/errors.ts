const ERROR_KINDS = [
  'invalid',
  'unauthenticated',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'conflict',
  'payload_too_large',
  'unsupported_media_type',
  'unprocessable',
  'rate_limited',
  'unavailable',
] as const;

/** The kinds of failure that a caller can cause or must know about. `http/` maps each to a status. */
export type ErrorKind = (typeof ERROR_KINDS)[number];

export type ErrorDetails = { code: string; [key: string]: unknown };

/**
 * A failure whose message is written for the person who made the call. Anything else that is thrown is a bug, and
 * never reaches a client.
 */
export class AppError extends Error {
  readonly kind: ErrorKind;
  /** `code` is a stable snake_case word for programs, often the kind. Other fields give details. */
  readonly details: ErrorDetails;

  constructor(kind: ErrorKind, message: string, details: ErrorDetails = { code: kind }) {
    super(message);
    this.name = 'AppError';
    this.kind = kind;
    this.details = details;
  }
}

export type Issue = { path: string; message: string };

/** 400: the input breaks a rule; each issue names the field (`config.maxPages`). */
export function invalid(message: string, issues: Issue[] = []): AppError {
  return new AppError('invalid', message, { code: 'validation_failed', issues });
}

export function notFound(what: string): AppError {
  return new AppError('not_found', `${what} not found`);
}

export const isNotFound = (error: unknown): boolean => error instanceof AppError && error.kind === 'not_found';

export function forbidden(message: string, code = 'forbidden'): AppError {
  return new AppError('forbidden', message, { code });
}

export function unauthenticated(message = 'Sign in to continue', code = 'unauthenticated'): AppError {
  return new AppError('unauthenticated', message, { code });
}

export function conflict(message: string, code: string): AppError {
  return new AppError('conflict', message, { code });
}

export function unprocessable(message: string, code: string): AppError {
  return new AppError('unprocessable', message, { code });
}

export function unavailable(message: string, code: string): AppError {
  return new AppError('unavailable', message, { code });
}

/** Makes a switch over a union fail to compile when a member has no case. */
export function assertNever(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
}

/** What `make` returns. Null if it throws: for input that is not what it should be. */
export function orNull<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}

/** For `catch`: null if it is such an error. Throws any other again. */
export const nullIf =
  (isSuch: (error: unknown) => boolean) =>
  (error: unknown): null => {
    if (isSuch(error)) return null;
    throw error;
  };

/** The message of whatever was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Whether `error` has one of these codes (`ENOENT`, a SQLSTATE).
 */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.some((code) => readErrorCode(error) === code);
}

/** The code of whatever was thrown; null when it has none. */
export function readErrorCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
