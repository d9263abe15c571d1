import { AppError } from '../errors.ts';
import { isObjectName } from './object-name.ts';
import type { ByteRange } from './storage.ts';

/** The store can't be used now; what it said is the cause, for the log and not for the client. */
function storageUnavailable(cause: unknown): AppError {
  const error = new AppError('unavailable', 'The image storage is unavailable right now', {
    code: 'storage_unavailable',
  });
  error.cause = cause;
  return error;
}

/** Whatever the store throws, from the network or the disk, as `storageUnavailable`. */
export async function using<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw storageUnavailable(error);
  }
}

/** The same for a read, save that an object that is not there is null. */
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

/** @throws Error for a name that no caller may have let through: it is a bug, or an attack that got this far. */
export function assertObjectName(name: string): void {
  if (!isObjectName(name)) throw new Error(`Not the name of a stored object: ${JSON.stringify(name)}`);
}

/** @throws Error for anything but one or more whole segments and a slash; the whole store is never meant. */
export function assertPrefix(prefix: string): void {
  if (!prefix.endsWith('/') || !isObjectName(prefix.slice(0, -1))) {
    throw new Error(`Not a prefix of stored objects: ${JSON.stringify(prefix)}`);
  }
}

/** @throws Error for a range that begins past the end or is none: S3 would answer that one with the whole object. */
export function assertRange({ start, end }: ByteRange, size: number): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start || start >= size) {
    throw new Error(`The object of ${size} bytes has no bytes ${start} to ${end}`);
  }
}
