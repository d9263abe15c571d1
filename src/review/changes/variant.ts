import { z } from 'zod';
import type { Region } from '../../elements/region.ts';

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
  /** The same for the same variant of the same change in any run. 32 hexadecimal digits. */
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
