import { sha256Of } from '../text/sha256.ts';
import type { ElementChange } from './element-change.ts';
import { reaches } from './explain-areas.ts';
import type { ChangedRegion } from './region.ts';

const LENGTH = 32;

export const hash = (what: unknown): string => sha256Of(JSON.stringify(what)).slice(0, LENGTH);

/**
 * The areas in which a change itself is drawn. Differences elsewhere only follow from it: content moves, and text that
 * moves by fractions of a pixel is drawn differently.
 */
export function ownAreas(areas: ChangedRegion[], change: ElementChange): ChangedRegion[] {
  const own = areas.filter((area) => reaches(change, area));
  return own.length > 0 ? own : areas;
}

/**
 * A hash of the differing pixels in these areas, before and after. Only their horizontal distances count, because
 * content of any height may be between them.
 */
export function pictureOf(areas: ChangedRegion[]): string {
  const [first] = areas;
  return hash(areas.map(({ x, picture }) => [x - (first?.x ?? 0), picture]));
}

/** The hash of a change in several places: what it shows in them, however often. */
export function joinPictures(pictures: string[]): string {
  const different = [...new Set(pictures)].toSorted();
  const [only] = different;
  return different.length === 1 && only !== undefined ? only : hash(different);
}
