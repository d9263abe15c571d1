import type { Readable } from 'node:stream';
import { unavailable, type AppError } from '../errors.ts';
import { isObjectName } from './object-name.ts';

/** An inclusive byte range, as in HTTP. */
export type ByteRange = { start: number; end: number };

/** `storedAt`: by the store's clock; null when it does not say. `size`: bytes. */
export type StoredObject = { name: string; storedAt: Date | null; size: number };

/**
 * If an object that is this old (ms) is put again, it counts as stored now. So an unnamed object that is older is not
 * about to be named, and `removeOlder` may remove it.
 */
export const RENEWED_AFTER = 3_600_000;

/**
 * The object store. Names are relative (`suites/<suiteId>/<sha256>.png`); objects are immutable, so storing a name
 * again changes no byte and succeeds. A shorter one was cut off by a disk or a copy; it is stored anew.
 */
export type Storage = {
  /** Atomic: a reader sees the whole object or none of it. */
  put(name: string, bytes: Buffer): Promise<void>;
  /** Null when there is no such object. */
  get(name: string): Promise<Buffer | null>;
  /** Size in bytes; null when there is no such object. */
  stat(name: string): Promise<{ size: number } | null>;
  /** Throws when there is no such object: `stat` first. */
  stream(name: string, range?: ByteRange): Promise<Readable>;
  /**
   * Every object whose name starts with the prefix, which ends in a slash, in no particular order. Objects that are
   * stored or removed meanwhile may or may not be included.
   */
  list(prefix: string): AsyncIterable<StoredObject>;
  /** Removes every object whose name starts with the prefix, which ends in a slash. */
  removeAll(prefix: string): Promise<void>;
  /**
   * Removes an object that was stored before that time, by the store's clock. False: it is not there, or was put again
   * since.
   */
  removeOlder(name: string, before: Date): Promise<boolean>;
  /** Bytes of the file system that holds the objects, used and free. Null: the store does not say. */
  space(): Promise<{ used: number; free: number } | null>;
  /** Throws when the store cannot be used (for readiness). */
  check(): Promise<void>;
};

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
