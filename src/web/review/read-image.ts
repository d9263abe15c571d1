import { countTiles, tileRows } from '../../compare/tile.ts';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { TILE_WIDTHS, imageUrl, tileUrl } from '../../http/image-url.ts';
import { readImageSize } from '../../storage/read-image-size.ts';

/** Our own images are loaded by path, because the page may be open under another hostname than the one in `PUBLIC_URL`. */
const OWN = { publicUrl: '' };

/** Rows of an image at a place of it in px. `srcset` has them as they are and scaled, for the browser to choose. */
export type Tile = { y: number; width: number; height: number; src: string; srcset: string };

/** A stored image as a page shows it. Its size is in px. `url`: the file itself, which pages only link to. */
export type Image = { url: string; width: number; height: number; tiles: Tile[] };

function listTiles(name: string, size: { width: number; height: number }): Tile[] {
  const widths = TILE_WIDTHS.filter((width) => width < size.width);
  return Array.from({ length: countTiles(size) }, (_, at) => {
    const { from, to } = tileRows(size, at);
    const src = tileUrl(OWN, name, at);
    const scaled = widths.map((width) => `${tileUrl(OWN, name, at, width)} ${width}w`);
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
  return imageUrl({ cdnBaseUrl, ...OWN }, name);
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
