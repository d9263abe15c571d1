/** An uploaded site, without its files. */
export type Build = {
  id: string;
  testSuiteId: string;
  /** SHA-256 (hex) of the paths and contents of all files: equal builds are stored once. */
  digest: string;
  /** The folder of its objects. */
  storedAs: string;
  files: number;
  /** Unpacked. */
  bytes: number;
  /** The commit that it was built from, in lower case. */
  headSha: string | null;
  createdAt: Date;
};

/** A file of a build: its path without a leading slash, and its object's name by the SHA-256 (hex) of its bytes. */
export type BuildFile = { path: string; sha256: string };

/** What people know a build by. */
export const buildName = (id: string): string => `build ${id.slice(0, 8)}`;

const MIB = 1024 * 1024;

export type ArchiveLimits = {
  /** Of the archive as it is sent, bytes. */
  archive: number;
  /** Of all files together, unpacked, bytes. */
  unpacked: number;
  /** Of one file, unpacked, bytes. It is held in memory. */
  file: number;
  files: number;
};

export const ARCHIVE_LIMITS: ArchiveLimits = {
  archive: 512 * MIB,
  unpacked: 2048 * MIB,
  file: 64 * MIB,
  files: 50_000,
};

/** A commit's SHA, of either kind that Git has. */
export const HEAD_SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
