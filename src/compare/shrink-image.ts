import type { Region } from './region.ts';
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

/** Shown around what is cut out, px. */
const MARGIN = 16;
/** Larger parts show their upper left. */
const MAX_CROP = { width: 1280, height: 960 };
const CROP_WIDTH = 640;

/**
 * A part of a PNG with some of its surroundings, as WebP at most 640 px wide.
 * @throws Error when the file is not a readable PNG.
 */
export async function cropImage(png: Buffer, box: Region): Promise<Buffer> {
  const size = await readPngSize(png, 'stored');
  const left = Math.min(Math.max(0, box.x - MARGIN), size.width - 1);
  const top = Math.min(Math.max(0, box.y - MARGIN), size.height - 1);
  const width = Math.min(box.x + box.width + MARGIN - left, MAX_CROP.width, size.width - left);
  const height = Math.min(box.y + box.height + MARGIN - top, MAX_CROP.height, size.height - top);
  return reading('stored', () =>
    openPng(png)
      .extract({ left, top, width: Math.max(1, width), height: Math.max(1, height) })
      .resize({ width: CROP_WIDTH, withoutEnlargement: true })
      .webp(WEBP)
      .toBuffer(),
  );
}
