import type { Context } from '../../context.ts';
import type { Region } from '../../elements/region.ts';
import { findChangePlaces, findChangesOfResult, findFirstChange } from './change-store.ts';
import type { PageResult, StoredChange } from './result.ts';

/**
 * Where the change is in this image of its result: the baseline or the screenshot. Null if it is neither.
 * @param isWhole its full extent instead, in one of the two aligned images
 */
export async function findChangeBox(
  { db }: Pick<Context, 'db'>,
  changeId: string,
  image: string,
  isWhole: boolean,
): Promise<Region | null> {
  const places = await findChangePlaces(db, changeId);
  if (places === null) return null;
  const { baselineFile, baselineBox, currentFile, currentBox, canvasBox } = places;
  if (isWhole) {
    const aligned = [places.alignedBaselineFile ?? baselineFile, places.alignedCurrentFile ?? currentFile];
    return aligned.includes(image) ? canvasBox : null;
  }
  if (baselineFile === image && baselineBox !== null) return baselineBox;
  return currentFile === image ? currentBox : null;
}

/** Why a result differs, in the order in which the causes were found. */
export async function listChangesOfResult(
  { db }: Pick<Context, 'db'>,
  result: Pick<PageResult, 'id'>,
): Promise<StoredChange[]> {
  return findChangesOfResult(db, result.id);
}

/** The size of a result's thumbnail, px: 4 to 3, and wide enough to read a few words around a change. */
const SHOWN = { width: 480, height: 360 };

/** Centers a change in the thumbnail. Of a larger one, shows the upper left. */
const placeSide = (start: number, length: number, shown: number) =>
  Math.max(0, start - Math.max(0, Math.floor((shown - length) / 2)));

/** The part of a result's screenshot with its first change. Null: the file is not that screenshot, or nothing differs. */
export async function findFirstChangeBox(
  { db }: Pick<Context, 'db'>,
  resultId: string,
  image: string,
): Promise<Region | null> {
  const first = await findFirstChange(db, resultId, image);
  if (first === null) return null;
  const { x, y, width, height } = first;
  return { x: placeSide(x, width, SHOWN.width), y: placeSide(y, height, SHOWN.height), ...SHOWN };
}
