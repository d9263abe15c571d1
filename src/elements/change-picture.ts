import { createHash } from 'node:crypto';
import type { ElementChange } from './element-change.ts';
import { reachOf, touches } from './explain-areas.ts';
import type { ChangedArea } from './page-change.ts';

const LENGTH = 32;

const hash = (what: unknown): string =>
  createHash('sha256').update(JSON.stringify(what)).digest('hex').slice(0, LENGTH);

/**
 * The areas in which a change draws itself. What it moved elsewhere follows from it: pages flow, and text that moves by parts
 * of a pixel is drawn anew.
 */
export function ownAreas(areas: ChangedArea[], change: ElementChange): ChangedArea[] {
  const reach = reachOf(change);
  const own = areas.filter(
    ({ baseline, current }) => touches(baseline, change.baseline, reach) || touches(current, change.current, reach),
  );
  return own.length > 0 ? own : areas;
}

/**
 * What these areas show: a hash of their differing pixels before and after. How far they are apart counts only sideways, as
 * contents of any height may stand between them.
 */
export function pictureOf(areas: ChangedArea[]): string {
  const [first] = areas;
  return hash(areas.map(({ x, picture }) => [x - (first?.x ?? 0), picture]));
}

/** Of a change in several places: what it shows in any of them, however often. */
export function joinPictures(pictures: string[]): string {
  const different = [...new Set(pictures)].toSorted();
  const [only] = different;
  return different.length === 1 && only !== undefined ? only : hash(different);
}
