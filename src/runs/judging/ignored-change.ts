import { z } from 'zod';
import { UserSummary } from '../../auth/user.ts';
import { identifyRegion } from '../../elements/region.ts';
import { sha256Of } from '../../text/sha256.ts';
import type { PageResult } from '../results/result.ts';

/** A change of one page and viewport that a person chose to ignore. The same change does not hold a gate again. */
export const IgnoredChange = z.object({
  id: z.uuid(),
  testSuiteId: z.uuid(),
  path: z.string(),
  viewport: z.string(),
  baselineFile: z.string(),
  currentFile: z.string(),
  note: z.string().nullable(),
  /** Null when the account was deleted. */
  author: UserSummary.nullable(),
  /** Null: never. */
  expiresAt: z.date().nullable(),
  /** How many results it applied to. */
  uses: z.number(),
  lastUsedAt: z.date().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type IgnoredChange = z.infer<typeof IgnoredChange>;

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
 * A hash of what all regions show before and after, of their places in the baseline, of the space beside them that does
 * not count, and of what assistive technology hears differently, where that holds the gate. Without regions, the two
 * screenshots stand for what they show.
 */
export function fingerprintOf({ baselineFile, currentFile, diffRegions, heardKey }: FoundDifference): string {
  const regions = diffRegions ?? [];
  const shown = regions.length > 0 ? regions.map(identifyRegion).toSorted() : [baselineFile, currentFile];
  const parts = [...shown, regions[0]?.space ?? [], heardKey ?? []];
  return sha256Of(parts.flat().join(' '));
}
