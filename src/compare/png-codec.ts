import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { isPng } from '../png-header.ts';
import type { Picture, Size } from './picture.ts';
import { MAX_PIXELS } from './picture.ts';

// One picture uses one thread, as the worker threads already share the cores; no picture is decoded twice.
sharp.concurrency(1);
sharp.cache(false);

/** What reads and writes the pictures, with its version. */
export const CODEC = `sharp ${sharp.versions.sharp}`;

/** `ignoreIcc`: what is compared is the numbers in the file, not what a colour profile would make of them. */
export function openPng(png: Buffer): Sharp {
  if (!isPng(png)) throw new Error('The bytes are not a PNG');
  return sharp(png, { ignoreIcc: true, limitInputPixels: MAX_PIXELS, failOn: 'warning' });
}

/** What `read` throws, as an error that calls the picture by `name`. */
export async function reading<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    throw new Error(`The ${name} screenshot is not a readable PNG`, { cause });
  }
}

/**
 * Any PNG (palette, greyscale, 16 bits a channel) as RGBA of 8 bits.
 * @throws Error that calls the picture by `name`, when the file is damaged, cut off or larger than MAX_PIXELS.
 */
export async function decodePng(png: Buffer, name: string): Promise<Picture> {
  return reading(name, async () => {
    const image = openPng(png).toColourspace('srgb').ensureAlpha().raw({ depth: 'uchar' });
    const { data, info } = await image.toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, pixels: data };
  });
}

/** Of the header alone: the rest of the file may be damaged. */
export async function readPngSize(png: Buffer, name: string): Promise<Size> {
  return reading(name, async () => {
    const { width, height } = await openPng(png).metadata();
    return { width, height };
  });
}

/** Level 1: a diff image is written far more often than it is looked at; higher levels take 5 times as long. */
export async function encodePng({ width, height, pixels }: Picture): Promise<Buffer> {
  const raw = { width, height, channels: 4 } as const;
  return sharp(pixels, { raw, limitInputPixels: MAX_PIXELS }).removeAlpha().png({ compressionLevel: 1 }).toBuffer();
}
