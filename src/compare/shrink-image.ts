import sharp, { type Sharp } from 'sharp';
import type { Region } from '../elements/region.ts';
import { openPng, reading, readPngSize } from '../png/codec.ts';
import type { Size } from '../png/image.ts';

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
/** A changed letter means nothing without the words around it. */
const LEAST_CROP = { width: 320, height: 96 };
/** Larger parts are cut to their upper left corner. */
const MAX_CROP = { width: 1280, height: 960 };

/**
 * A crop in bytes. Checks show many of them, and a noisy picture of this size would take 400 KB at the first of these
 * qualities. The last one is always small enough.
 */
const MAX_CROP_BYTES = 64 * 1024;
const CROP_SIZES = [
  { width: 640, quality: 80 },
  { width: 640, quality: 50 },
  { width: 320, quality: 50 },
  { width: 160, quality: 30 },
];

const sideBounds = (side: 'width' | 'height', image: Size, most: Size) => ({
  least: LEAST_CROP[side],
  most: most[side],
  image: image[side],
});

type Span = { start: number; length: number };

/** One side of a crop: `span` in the middle, moved to where the image has room for it. */
function cropSide(span: Span, bounds: { least: number; most: number; image: number }): Span {
  const wanted = Math.max(span.length + 2 * MARGIN, bounds.least);
  const length = Math.max(1, Math.min(wanted, bounds.most, bounds.image));
  const around = Math.max(MARGIN, Math.floor((length - span.length) / 2));
  return { start: Math.max(0, Math.min(span.start - around, bounds.image - length)), length };
}

function cutOut(png: Buffer, size: Size, box: Region, most: Size): Sharp {
  const columns = cropSide({ start: box.x, length: box.width }, sideBounds('width', size, most));
  const rows = cropSide({ start: box.y, length: box.height }, sideBounds('height', size, most));
  return openPng(png).extract({ left: columns.start, top: rows.start, width: columns.length, height: rows.length });
}

/** The best quality that stays within the limit. */
async function writeCrop(part: Sharp): Promise<Buffer> {
  let webp = Buffer.alloc(0);
  for (const { width, quality } of CROP_SIZES) {
    webp = await part
      .clone()
      .resize({ width, withoutEnlargement: true })
      .webp({ ...WEBP, quality })
      .toBuffer();
    if (webp.length <= MAX_CROP_BYTES) break;
  }
  return webp;
}

/** The highest WebP is 16,383 px. */
const MAX_WHOLE = { width: 640, height: 16_000 };

/**
 * A part of a PNG, however large, with some of its surroundings, as WebP at most 640 px wide.
 * @throws Error when the file is not a readable PNG.
 */
export async function cropWhole(png: Buffer, box: Region): Promise<Buffer> {
  const size = await readPngSize(png, 'stored');
  return reading('stored', () =>
    cutOut(png, size, box, size)
      .resize({ ...MAX_WHOLE, fit: 'inside', withoutEnlargement: true })
      .webp(WEBP)
      .toBuffer(),
  );
}

/** Lists have many crops, and their text is not read. */
const SMALL = { ...WEBP, quality: 70 };

/**
 * A part of a PNG with some of its surroundings, as WebP at most 640 px wide and of 64 KiB, or at most `width` wide.
 * @throws Error when the file is not a readable PNG.
 */
export async function cropImage(png: Buffer, box: Region, width?: number): Promise<Buffer> {
  const size = await readPngSize(png, 'stored');
  return reading('stored', () => {
    const part = cutOut(png, size, box, MAX_CROP);
    if (width === undefined) return writeCrop(part);
    return part.resize({ width, withoutEnlargement: true }).webp(SMALL).toBuffer();
  });
}

/** Until one is small enough. The last one always is. */
const FITS = [
  { width: 640, quality: 60 },
  { width: 480, quality: 45 },
  { width: 320, quality: 35 },
  { width: 160, quality: 20 },
];

/** An image as WebP of at most that many bytes, scaled down if needed. */
export async function fitImage(image: Buffer, mostBytes: number): Promise<Buffer> {
  let fitted = image;
  for (const { width, quality } of FITS) {
    if (fitted.length <= mostBytes) break;
    fitted = await sharp(image)
      .resize({ width, height: width, fit: 'inside', withoutEnlargement: true })
      .webp({ ...WEBP, quality })
      .toBuffer();
  }
  return fitted;
}
