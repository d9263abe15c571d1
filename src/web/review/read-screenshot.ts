import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { imageUrl } from '../../http/image-url.ts';
import { readPictureSize } from '../../storage/read-picture-size.ts';

/** A stored picture as a page shows it; its size in px. */
export type Picture = { url: string; width: number; height: number };

/** By path where it is our own: the page may be open under another name of the host than `PUBLIC_URL` says. */
export function picturePath({ cdnBaseUrl }: Pick<Config, 'cdnBaseUrl'>, name: string): string {
  return imageUrl({ cdnBaseUrl, publicUrl: '' }, name);
}

/** Null where there is none, or where the storage has lost it. */
export async function readPicture(
  { config, storage }: Pick<Context, 'config' | 'storage'>,
  name: string | null,
): Promise<Picture | null> {
  const size = name === null ? null : await readPictureSize(storage, name);
  return name === null || size === null ? null : { url: picturePath(config, name), ...size };
}
