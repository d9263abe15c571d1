import { unprocessable } from '../errors.ts';

const MIB = 1024 * 1024;

export type ArchiveLimits = {
  /** Maximum size of the archive as it is sent, in bytes. */
  archive: number;
  /** Maximum size of all files together, unpacked, in bytes. */
  unpacked: number;
  /** Maximum size of one file, unpacked, in bytes. It is held in memory. */
  file: number;
  files: number;
  /** Maximum of unpacked bytes for each byte of the archive. The first `anyway` bytes are always allowed. */
  ratio: number;
  anyway: number;
};

/** Built sites unpack to 3 to 10 times their size, pages that hardly differ to some 100 times, zeros to 1,000 times. */
export const ARCHIVE_LIMITS: ArchiveLimits = {
  archive: 512 * MIB,
  unpacked: 2048 * MIB,
  file: 64 * MIB,
  files: 50_000,
  ratio: 200,
  anyway: 64 * MIB,
};

/** An entry of an archive, as the archive describes it. Nothing about it is trusted yet. */
export type ArchiveEntry = {
  path: string;
  kind: 'file' | 'directory' | 'other';
  /** Bytes, as the archive says. */
  size: number;
  /** CRC-32 of the content, as the archive says. Null: it does not say. */
  sum: number | null;
  /** Must be read before the next entry is requested, or not at all. */
  content: () => AsyncIterable<Buffer> | Promise<AsyncIterable<Buffer>>;
};

/** An archive on disk: an open file, and its size in bytes. */
export type Archive = { fd: number; size: number };

export const refused = (why: string) => unprocessable(`The archive was rejected: ${why}`, 'archive_refused');

/** The path as a message shows it. */
export const shownPath = (path: string) => JSON.stringify(path.slice(0, 200));
