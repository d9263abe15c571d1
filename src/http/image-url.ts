import type { Config } from '../config.ts';

/** The widths of thumbnails in px. Each one is stored, so there are only a few. */
export const THUMBNAIL_WIDTHS = [96, 192, 384, 768] as const;
export type ThumbnailWidth = (typeof THUMBNAIL_WIDTHS)[number];

/** The URL of a stored image for a browser: on the CDN if there is one, otherwise under `/files`. */
export function imageUrl({ cdnBaseUrl, publicUrl }: Pick<Config, 'cdnBaseUrl' | 'publicUrl'>, name: string): string {
  return `${cdnBaseUrl ?? `${publicUrl}/files`}/${name}`;
}

/**
 * The URL of a WebP thumbnail: the top of a stored image at this width, at most 1.5 times as high. It is always a URL
 * of this service, because only the service makes thumbnails.
 */
export function thumbnailUrl({ publicUrl }: Pick<Config, 'publicUrl'>, name: string, width: ThumbnailWidth): string {
  return `${publicUrl}/files/${name}?width=${width}`;
}

/** The widths to which tiles are scaled, in px. When people zoom in, they get unscaled tiles. */
export const TILE_WIDTHS = [192, 384, 640, 896, 1152] as const;
export type TileWidth = (typeof TILE_WIDTHS)[number];

/** The URL of a tile of a stored image as WebP, scaled to a width, or unscaled without one. */
export function tileUrl(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  name: string,
  tile: number,
  width?: TileWidth,
): string {
  return `${publicUrl}/files/${name}?tile=${tile}${width === undefined ? '' : `&width=${width}`}`;
}

/**
 * The URL of a WebP of one side of a change: what the element looked like in the image. Only the service makes them.
 */
export function cropUrl({ publicUrl }: Pick<Config, 'publicUrl'>, crop: { file: string; changeId: string }): string {
  return `${publicUrl}/files/${crop.file}?change=${crop.changeId}`;
}

/** The same, but with everything that the change shows, lined up with the other image, and never cut off. */
export function wholeCropUrl(config: Pick<Config, 'publicUrl'>, crop: { file: string; changeId: string }): string {
  return `${cropUrl(config, crop)}&whole=1`;
}

/**
 * The URL of a WebP thumbnail of a result: the part of its screenshot with the first change, or the top of it if
 * nothing differs.
 */
export function changeThumbnailUrl(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  result: { file: string; resultId: string },
  width: ThumbnailWidth,
): string {
  return `${publicUrl}/files/${result.file}?result=${result.resultId}&width=${width}`;
}
