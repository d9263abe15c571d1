import { z } from 'zod';
import { CHANGE_KINDS } from '../../elements/page-change.ts';
import type { Region } from '../../elements/region.ts';
import { formatCount } from '../../text/format.ts';
import { namePlace } from '../../text/readable-path.ts';

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
  if (count === 1) return namePlace({ path: paths.join(), viewport: viewports.join() });
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

/** A part of an image, in px. */
export const Box: z.ZodType<Region> = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

/** One side of a change, as a part of a stored image. */
export type Crop = { changeId: string; file: string; box: Region };

/** A result in which a group's change occurs. */
export type Occurrence = {
  resultId: string;
  path: string;
  viewport: string;
  approved: boolean;
  /** Somebody requests changes to the result. */
  held: boolean;
  /** The element in each image. Null where it is not there. */
  before: Crop | null;
  after: Crop | null;
  /** The same part of both images, lined up, with all that the change shows. */
  wholeBefore: Crop | null;
  wholeAfter: Crop | null;
};

/**
 * The pages of a group on which its change looks the same: what differs is the same picture at each viewport. A group that
 * looks the same on all of its pages has one, whatever it looks like at another viewport.
 */
export type Variant = {
  /** Identifies this variant of the change in every run. 32 hexadecimal digits. */
  id: string;
  paths: string[];
  viewports: string[];
  /** How many results show it, and how many of these wait for an approval of the change. */
  count: number;
  pending: number;
  /** How many of those without a request for changes. */
  undecided: number;
  /** The places in the run of those that are undecided, with spaces between them. */
  undecidedPlaces: string;
  /** The suite's own site has changed in the same way, wherever it occurs. */
  drift: boolean;
  /** The position of the first of these results in the run. */
  place: number;
  /** The first of its results, page by page. */
  occurrences: Occurrence[];
  /** Of the first page: what the change looks like at each viewport. */
  pictures: Occurrence[];
};

/** How many are shown with their group. All of them are on a page of their own, and in the API. */
export const VARIANTS_SHOWN = 6;

/** The position of a variant in its group: undecided ones come first. */
export type VariantPlace = { decided: boolean; count: number; place: number };

/** Of each group, from the first variant unless it says otherwise. `results`: at most as many of each variant. */
export type PartOfVariants = { limit: number; results: number; after?: VariantPlace | null };
