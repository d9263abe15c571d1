import type { Readable } from 'node:stream';

/** An inclusive byte range, as in HTTP. */
export type ByteRange = { start: number; end: number };

/** `storedAt`: by the store's clock; null when it does not say. */
export type StoredObject = { name: string; storedAt: Date | null };

/**
 * The object store. Names are relative (`suites/<suiteId>/<sha256>.png`); objects are immutable, so storing a name
 * again is a no-op that succeeds.
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
   * Every object whose name starts with the prefix, which ends in a slash; in no order, read as it is asked for. What is
   * stored or removed meanwhile may be there or not.
   */
  list(prefix: string): AsyncIterable<StoredObject>;
  /** Removes every object whose name starts with the prefix, which ends in a slash. */
  removeAll(prefix: string): Promise<void>;
  /** Throws when the store cannot be used (for readiness). */
  check(): Promise<void>;
};
