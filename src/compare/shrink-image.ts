import { openPng, readPngSize, reading } from './png-codec.ts';

/** Maximum height of a thumbnail, in widths. A list needs only the top of a page, which may be 7,000 px tall. */
const MAX_HEIGHT = 1.5;

/** For speed: at this low effort, a thumbnail is a tenth larger than at the default effort, but takes half the time. */
const WEBP = { quality: 80, effort: 1 } as const;

/**
 * The top of a PNG as WebP, `width` px wide (a narrower image keeps its width) and at most 1.5 times as high.
 * @throws Error when the file is not a readable PNG.
 */
export async function shrinkImage(png: Buffer, width: number): Promise<Buffer> {
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
