import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { imageUrl } from '../../http/image-url.ts';
import { readPictureSize } from '../../storage/read-picture-size.ts';

/** A stored image as a page shows it. Its size is in px. */
export type Picture = { url: string; width: number; height: number };

/**
 * Our own images are loaded by path, because the page may be open under another hostname than the one in `PUBLIC_URL`.
 */
export function picturePath({ cdnBaseUrl }: Pick<Config, 'cdnBaseUrl'>, name: string): string {
  return imageUrl({ cdnBaseUrl, publicUrl: '' }, name);
}

/** Null if there is none, or if it is missing in the storage. */
export async function readPicture(
  { config, storage }: Pick<Context, 'config' | 'storage'>,
  name: string | null,
): Promise<Picture | null> {
  const size = name === null ? null : await readPictureSize(storage, name);
  return name === null || size === null ? null : { url: picturePath(config, name), ...size };
}
