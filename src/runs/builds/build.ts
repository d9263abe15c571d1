import type { SelectedRow } from '../../db/query.ts';

export const BUILD_COLUMNS = [
  'id',
  'test_suite_id',
  // SHA-256 (hex) of the paths and contents of all files: equal builds are stored once.
  'digest',
  // The folder of its objects.
  'stored_as',
  'files',
  // Unpacked.
  'bytes',
  // The commit that it was built from, in lower case.
  'head_sha',
  'created_at',
] as const;

/** An uploaded site, without its files. */
export type Build = SelectedRow<'builds', typeof BUILD_COLUMNS>;

export const buildName = (id: string): string => `build ${id.slice(0, 8)}`;

/**
 * The maximum size of a suite's builds together, in bytes, and their number. The oldest ones that no run in progress
 * needs are removed to make room.
 */
export const BUILD_QUOTA = { bytes: 10 * 1024 ** 3, builds: 500 };

/** A build that takes up space. `isNeeded`: it is being stored, or a run in progress captures it. */
export type KeptBuild = Pick<Build, 'id' | 'storedAs' | 'digest' | 'bytes'> & { isNeeded: boolean };

/** Equal builds are stored once. */
const bytesOf = (builds: readonly KeptBuild[]): number =>
  [...new Map(builds.map(({ storedAs, bytes }) => [storedAs, bytes])).values()].reduce((sum, each) => sum + each, 0);

/**
 * The builds to remove to make room for one of this many bytes. Null: the needed ones leave no room.
 * @param kept oldest first
 */
export function chooseExpired(kept: readonly KeptBuild[], bytes: number, quota = BUILD_QUOTA): KeptBuild[] | null {
  const expired: KeptBuild[] = [];
  let left = [...kept];
  while (left.length >= quota.builds || bytesOf(left) + bytes > quota.bytes) {
    const oldest = left.find(({ isNeeded }) => !isNeeded);
    if (oldest === undefined) return null;
    expired.push(oldest);
    left = left.filter((build) => build !== oldest);
  }
  return expired;
}

/** A commit's SHA, of either kind that Git has. */
export const HEAD_SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
