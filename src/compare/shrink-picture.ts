import { openPng, readPngSize, reading } from './png-codec.ts';

/** Height of what is shown, in widths: a list wants the head of a page, which may be 7,000 px tall. */
const MAX_HEIGHT = 1.5;

/** Quick: at the least effort a thumbnail is a tenth larger than at the usual one, and takes half of the time. */
const WEBP = { quality: 80, effort: 1 } as const;

/**
 * The top of a PNG as WebP, `width` px wide (a slimmer picture keeps its width) and 1.5 times as high at most.
 * @throws Error when the file is no PNG that can be read.
 */
export async function shrinkPicture(png: Buffer, width: number): Promise<Buffer> {
  const size = await readPngSize(png, 'stored');
  const height = Math.min(size.height, Math.floor(size.width * MAX_HEIGHT));
  return reading('stored', () =>
    openPng(png)
      .extract({ left: 0, top: 0, width: size.width, height })
      .resize({ width, withoutEnlargement: true })
      .webp(WEBP)
      .toBuffer(),
  );
}
