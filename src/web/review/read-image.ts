import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { imageUrl } from '../../http/image-url.ts';
import { readImageSize } from '../../storage/read-image-size.ts';

/** A stored image as a page shows it. Its size is in px. */
export type Image = { url: string; width: number; height: number };

/**
 * Our own images are loaded by path, because the page may be open under another hostname than the one in `PUBLIC_URL`.
 */
export function imagePath({ cdnBaseUrl }: Pick<Config, 'cdnBaseUrl'>, name: string): string {
  return imageUrl({ cdnBaseUrl, publicUrl: '' }, name);
}

/** Null if there is none, or if it is missing in the storage. */
export async function readImage(
  { config, storage }: Pick<Context, 'config' | 'storage'>,
  name: string | null,
): Promise<Image | null> {
  const size = name === null ? null : await readImageSize(storage, name);
  return name === null || size === null ? null : { url: imagePath(config, name), ...size };
}
