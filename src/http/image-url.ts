import type { Config } from '../config.ts';

/** Widths, in px, in which a picture is to be had as a thumbnail: each is kept, so they are few. */
export const THUMBNAIL_WIDTHS = [96, 192, 384, 768] as const;
export type ThumbnailWidth = (typeof THUMBNAIL_WIDTHS)[number];

/** The address at which a browser opens a stored picture: on the CDN where there is one, else under `/files` (contract 2). */
export function imageUrl({ cdnBaseUrl, publicUrl }: Pick<Config, 'cdnBaseUrl' | 'publicUrl'>, name: string): string {
  return `${cdnBaseUrl ?? `${publicUrl}/files`}/${name}`;
}

/**
 * The address of the top of a stored picture, as WebP of that width and 1.5 times as high at most. Always the service's
 * own, as only the service makes them.
 */
export function thumbnailUrl({ publicUrl }: Pick<Config, 'publicUrl'>, name: string, width: ThumbnailWidth): string {
  return `${publicUrl}/files/${name}?width=${width}`;
}
