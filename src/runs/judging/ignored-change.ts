import { createHash } from 'node:crypto';
import type { SelectedRow } from '../../db/query.ts';
import type { PageResult } from '../results/result.ts';

export const IGNORED_CHANGE_COLUMNS = [
  'id',
  'test_suite_id',
  'path',
  'viewport',
  'baseline_file',
  'current_file',
  'note',
  // Null when the account was deleted.
  'author_id',
  // Null: never.
  'expires_at',
  // How many results it applied to.
  'uses',
  'last_used_at',
  'created_at',
  'updated_at',
] as const;

/** A change of one page and viewport that a person chose to ignore. The same change does not hold a gate again. */
export type IgnoredChange = SelectedRow<'ignored_changes', typeof IGNORED_CHANGE_COLUMNS> & {
  authorName: string | null;
  authorEmail: string | null;
};

export type IgnoredChangeDraft = Pick<
  IgnoredChange,
  'path' | 'viewport' | 'baselineFile' | 'currentFile' | 'note' | 'expiresAt'
> & { authorId: string; fingerprint: string };

/** A result that differs from a baseline. */
export type FoundDifference = Pick<PageResult, 'diffRegions' | 'heardKey'> & {
  baselineFile: string;
  currentFile: string;
};

/**
 * A hash of what all regions show before and after, whatever their order and place, and of what assistive technology
 * hears differently, where that holds the gate. Without regions, the two screenshots stand for what they show.
 */
export function fingerprintOf({ baselineFile, currentFile, diffRegions, heardKey }: FoundDifference): string {
  const fingerprints = (diffRegions ?? []).map(({ fingerprint }) => fingerprint);
  const shown = fingerprints.length > 0 ? fingerprints.toSorted() : [baselineFile, currentFile];
  const parts = heardKey === null ? shown : [...shown, heardKey];
  return createHash('sha256').update(parts.join(' ')).digest('hex');
}
