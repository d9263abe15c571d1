import { unavailable, type AppError } from '../errors.ts';
import { isObjectName } from './object-name.ts';
import type { ByteRange } from './storage.ts';

/** The store can't be used now. The original error is the `cause`, for the log and not for the client. */
function storageUnavailable(cause: unknown): AppError {
  const error = unavailable('The image storage is unavailable right now', 'storage_unavailable');
  error.cause = cause;
  return error;
}

/** Turns everything that the store throws, from the network or the disk, into `storageUnavailable`. */
export async function using<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw storageUnavailable(error);
  }
}

/** Does the same for a read, but returns null for a missing object. */
export async function unlessMissing<T>(
  isMissing: (error: unknown) => boolean,
  read: () => Promise<T>,
): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (isMissing(error)) return null;
    throw storageUnavailable(error);
  }
}

/** The name. @throws Error for an invalid one. Callers must check names, so this is a bug, or an attack that got this far. */
export function objectName(name: string): string {
  if (isObjectName(name)) return name;
  throw new Error(`Not the name of a stored object: ${JSON.stringify(name)}`);
}

/** The prefix. @throws Error for anything but one or more whole segments and a slash: it never means the whole store. */
export function objectPrefix(prefix: string): string {
  if (prefix.endsWith('/') && isObjectName(prefix.slice(0, -1))) return prefix;
  throw new Error(`Not a prefix of stored objects: ${JSON.stringify(prefix)}`);
}

/**
 * @throws Error for a range that is invalid or begins past the end. S3 answers an invalid one with the whole object.
 */
export function assertRange({ start, end }: ByteRange, size: number): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start || start >= size) {
    throw new Error(`The object of ${size} bytes has no bytes ${start} to ${end}`);
  }
}
