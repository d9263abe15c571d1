import { createHash } from 'node:crypto';
import type { StoredRegion } from '../results/result.ts';

/** A change of one page and viewport that a person waved through: the same change does not hold a gate again. */
export type IgnoredChange = {
  id: string;
  testSuiteId: string;
  path: string;
  viewport: string;
  baselineFile: string;
  currentFile: string;
  note: string | null;
  /** Null when the account was deleted. */
  authorId: string | null;
  authorName: string | null;
  authorEmail: string | null;
  /** Null: never. */
  expiresAt: Date | null;
  /** How many results it applied to. */
  uses: number;
  lastUsedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

export type IgnoredChangeDraft = Pick<
  IgnoredChange,
  'path' | 'viewport' | 'baselineFile' | 'currentFile' | 'note' | 'expiresAt'
> & { authorId: string; fingerprint: string };

/**
 * A hash of what all regions show before and after, whatever their order and place. A region of an older version, without
 * a fingerprint, counts by its place.
 */
export function fingerprintOf(regions: readonly StoredRegion[]): string {
  const sorted = regions.map(({ fingerprint, x, y, width, height }) => fingerprint ?? `${x},${y},${width},${height}`);
  sorted.sort();
  return createHash('sha256').update(sorted.join(' ')).digest('hex');
}
