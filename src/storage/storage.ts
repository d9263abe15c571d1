import type { Readable } from 'node:stream';

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
