import type { Context } from '../../context.ts';
import type { Area } from '../../elements/page-change.ts';
import { findChangePlaces, findChangesOfResult } from './change-store.ts';
import type { StoredChange } from './change.ts';
import type { PageResult } from './result.ts';

/** Where the change shows in this image, which is the baseline or the screenshot of its result; null when in neither. */
export async function findChangeBox(
  { db }: Pick<Context, 'db'>,
  changeId: string,
  image: string,
): Promise<Area | null> {
  const places = await findChangePlaces(db, changeId);
  if (places === null) return null;
  if (places.baselineFile === image && places.baselineBox !== null) return places.baselineBox;
  return places.currentFile === image ? places.currentBox : null;
}

/** Why a result differs, in the order in which the causes were found; empty for a comparison of an older version. */
export async function listChangesOfResult(
  { db }: Pick<Context, 'db'>,
  result: Pick<PageResult, 'id'>,
): Promise<StoredChange[]> {
  return findChangesOfResult(db, result.id);
}
