import { countTiles, tileRows } from '../../compare/tile.ts';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import * as urls from '../../http/image-url.ts';
import type { Crop } from '../../review/changes/change-group.ts';
import type { PageResult } from '../../runs/results/result.ts';
import { readImageSize } from '../../storage/read-image-size.ts';

/** Our own images are loaded by path, because the page may be open under another hostname than the one in `PUBLIC_URL`. */
const OWN = { publicUrl: '' };

/** Rows of an image from a position in px. `srcset` has them unscaled and scaled, for the browser to choose. */
export type Tile = { y: number; width: number; height: number; src: string; srcset: string };

/** A stored image as a page shows it. Its size is in px. `url`: the file itself, which pages only link to. */
export type Image = { url: string; width: number; height: number; tiles: Tile[] };

function listTiles(name: string, size: { width: number; height: number }): Tile[] {
  const widths = urls.TILE_WIDTHS.filter((width) => width < size.width);
  return Array.from({ length: countTiles(size) }, (_, at) => {
    const { from, to } = tileRows(size, at);
    const src = urls.tileUrl(OWN, name, at);
    const scaled = widths.map((width) => `${urls.tileUrl(OWN, name, at, width)} ${width}w`);
    return {
      y: from,
      width: size.width,
      height: to - from,
      src,
      srcset: [...scaled, `${src} ${size.width}w`].join(', '),
    };
  });
}

export function imagePath({ cdnBaseUrl }: Pick<Config, 'cdnBaseUrl'>, name: string): string {
  return urls.imageUrl({ cdnBaseUrl, ...OWN }, name);
}

/** Null if there is none, or if it is missing in the storage. */
export async function readImage(
  { config, storage }: Pick<Context, 'config' | 'storage'>,
  name: string | null,
): Promise<Image | null> {
  const size = name === null ? null : await readImageSize(storage, name);
  if (name === null || size === null) return null;
  return { url: imagePath(config, name), ...size, tiles: listTiles(name, size) };
}

/** Object names. */
type Names = { baseline: string | null; current: string | null };

type Pair = { baseline: Image | null; current: Image | null };

/** Two screenshots to compare. If `plain` is set, they are lined up, and `plain` has the originals. */
export async function readPair(
  ctx: Pick<Context, 'config' | 'storage'>,
  { plain, aligned }: { plain: Names; aligned: Names },
): Promise<Pair & { plain?: Pair }> {
  const [baseline, current, alignedBaseline, alignedCurrent] = await Promise.all(
    [plain.baseline, plain.current, aligned.baseline, aligned.current].map(async (name) => readImage(ctx, name)),
  );
  const asTheyAre = { baseline: baseline ?? null, current: current ?? null };
  if (!alignedBaseline || !alignedCurrent) return asTheyAre;
  return { baseline: alignedBaseline, current: alignedCurrent, plain: asTheyAre };
}

/** px. Twice the widths at which they are shown in a grid and in a list, for dense screens. */
const THUMBNAIL_WIDTHS = { large: 384, small: 192 } as const;

export const thumbnail = (name: string, as: keyof typeof THUMBNAIL_WIDTHS = 'large'): string =>
  urls.thumbnailUrl(OWN, name, THUMBNAIL_WIDTHS[as]);

/** The URL of a result's thumbnail. Null if it has no screenshot. */
export function resultThumbnail(
  { id, status, currentFile }: Pick<PageResult, 'id' | 'status' | 'currentFile'>,
  as: keyof typeof THUMBNAIL_WIDTHS = 'large',
): string | null {
  if (currentFile === null) return null;
  if (status !== 'FAIL') return thumbnail(currentFile, as);
  return urls.changeThumbnailUrl(OWN, { file: currentFile, resultId: id }, THUMBNAIL_WIDTHS[as]);
}

/** @param isWhole all that the change draws, not only where it is */
export const cropImage = (crop: Crop | null, isWhole: boolean): string | null =>
  crop && (isWhole ? urls.wholeCropUrl : urls.cropUrl)(OWN, crop);
