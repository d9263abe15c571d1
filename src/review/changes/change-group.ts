import { z } from 'zod';
import { CHANGE_KINDS } from '../../elements/page-change.ts';
import { formatCount } from '../../text/format.ts';
import type { Crop, Variant } from './variant.ts';

/** What is known of a group of changes: those of a run that have one cause, over all pages and viewports. */
export const GroupFacts = z.object({
  /** The key of its changes. */
  key: z.string(),
  kind: z.enum(CHANGE_KINDS),
  element: z.string(),
  summary: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  paths: z.array(z.string()),
  viewports: z.array(z.string()),
  /** How many results have it. */
  count: z.coerce.number(),
  /** How many of these still wait for an approval, and on how many of those nobody requests changes. */
  pending: z.coerce.number(),
  undecided: z.coerce.number(),
  faint: z.boolean(),
  /** The suite's own site has changed in the same way, wherever it occurs. */
  drift: z.boolean(),
  /** The position of its first result in the run. */
  place: z.number(),
});

/** The same with what it looks like. */
export type ChangeGroup = z.infer<typeof GroupFacts> & {
  /** Of its first occurrence. */
  beforeCrop: Crop | null;
  afterCrop: Crop | null;
  /** How many there are, and the first of them. */
  variantCount: number;
  variants: Variant[];
};

/** On how many pages and viewports: `6 pages × 2 viewports`, or `/prices at mobile`. */
export function describeWhere({ paths, viewports, count }: Pick<ChangeGroup, 'paths' | 'viewports' | 'count'>): string {
  const onPages = formatCount(paths.length, 'page');
  if (count === 1) return `${paths.join()} at ${viewports.join()}`;
  if (count < paths.length * viewports.length) return `${formatCount(count, 'result')} on ${onPages}`;
  return `${onPages} × ${formatCount(viewports.length, 'viewport')}`;
}

/** The position of a group in its run. */
export type ChangePlace = Pick<ChangeGroup, 'drift' | 'faint' | 'count' | 'place' | 'key'>;

/**
 * Starts with the first group by default. `around`: the groups around this one, the next undecided one after it, and the
 * last one.
 */
export type PartOfChanges = {
  limit: number;
  after?: ChangePlace | null;
  offset?: number;
  around?: string | null;
};

/** A change on the walk through a run. `resultId`: where to look at it first. */
export type ChangeStop = ChangeGroup & { number: number; resultId: string };
