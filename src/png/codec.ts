import { crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { MAX_PIXELS, type Band, type Image, type Size } from './image.ts';

// One image uses one thread, because the worker threads already share the cores. No image is decoded twice.
sharp.concurrency(1);

sharp.cache(false);

/** The library that reads and writes PNG files, and its version. */
export const CODEC = `sharp ${sharp.versions.sharp}`;

/** The first bytes of every PNG. */
export const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Length and name of the first chunk, which are the same in every PNG. Width and height follow, 4 bytes each. */
const START = Buffer.concat([SIGNATURE, Buffer.from([0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])]);

export const PNG_HEADER_BYTES = START.length + 8;

/** The last chunk of every PNG: no data, its name, and its checksum. */
export const PNG_END = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]);

/** `ignoreIcc`: we compare the numbers in the file, not what a color profile would make of them. */
export function openPng(png: Buffer): Sharp {
  if (!isPng(png)) throw new Error('The bytes are not a PNG');
  return sharp(png, { ignoreIcc: true, limitInputPixels: MAX_PIXELS, failOn: 'warning' });
}

/** Rethrows what `read` throws, as an error that refers to the image as `name`. */
export async function reading<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    throw new Error(`The ${name} screenshot is not a readable PNG`, { cause });
  }
}

/**
 * Decodes any PNG (palette, grayscale, 16 bits per channel) as RGBA with 8 bits per channel.
 * @throws Error that refers to the image as `name`, when the file is damaged, cut off or larger than MAX_PIXELS.
 */
export async function decodePng(png: Buffer, name: string): Promise<Image> {
  return reading(name, async () => {
    const image = openPng(png).toColorspace('srgb').ensureAlpha().raw({ depth: 'uchar' });
    const { data, info } = await image.toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, pixels: data };
  });
}

/** Decodes a part of a PNG whose size is known, as `decodePng` does. Rows above it are read and forgotten. */
export async function decodePart(png: Buffer, part: Size & { x: number; y: number }, name: string): Promise<Buffer> {
  const { x, y, width, height } = part;
  return reading(name, async () => {
    const image = openPng(png).extract({ left: x, top: y, width, height });
    return image.toColourspace('srgb').ensureAlpha().raw({ depth: 'uchar' }).toBuffer();
  });
}

/** Rows of a PNG whose size is known: see `decodePart`. */
export async function decodeRows(png: Buffer, { width }: Size, { from, to }: Band, name: string): Promise<Buffer> {
  return decodePart(png, { x: 0, y: from, width, height: to - from }, name);
}

/** Reads only the header. The rest of the file may be damaged. */
export async function readPngSize(png: Buffer, name: string): Promise<Size> {
  return reading(name, async () => {
    const { width, height } = await openPng(png).metadata();
    return { width, height };
  });
}

/** Level 1, because a diff image is written far more often than it is viewed. Higher levels take 5 times as long. */
const FAST = { compressionLevel: 1 } as const;

/** An opaque PNG of an image: its transparency is left out. */
export async function encodePng({ width, height, pixels }: Image): Promise<Buffer> {
  const raw = { width, height, channels: 4 } as const;
  return sharp(pixels, { raw, limitInputPixels: false }).removeAlpha().png(FAST).toBuffer();
}

/** Where the data of a PNG's first chunk is: width, height, bits of a channel, kind of color, and three bytes more. */
const HEADER = { from: 16, to: 29, end: 33, kind: 9 } as const;

const BY_PALETTE = 3;

/**
 * A PNG with a palette. sharp can't write one from bytes that are already indexes; it would search for the best colors.
 * But its PNG of a gray image has the same bytes, only described as brightness, so this corrects the header. Four times
 * as fast as three channels, with a quarter of the memory.
 * @param palette red, green and blue of each color.
 */
export async function encodePalette(size: Size, bytes: Buffer, palette: Buffer): Promise<Buffer> {
  const raw = { width: size.width, height: size.height, channels: 1 } as const;
  const gray = await sharp(bytes, { raw, limitInputPixels: false }).toColorspace('b-w').png(FAST).toBuffer();
  const header = Buffer.from(gray.subarray(HEADER.from, HEADER.to));
  header.writeUInt8(BY_PALETTE, HEADER.kind);
  const start = [SIGNATURE, ...chunk('IHDR', [header]), ...chunk('PLTE', [palette])];
  return Buffer.concat([...start, gray.subarray(HEADER.end)]);
}

/** One part of a PNG, with its length, name and checksum. The data is not copied. */
export function chunk(name: string, data: Buffer[]): Buffer[] {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const named = [Buffer.from(name, 'latin1'), ...data];
  length.writeUInt32BE(data.reduce((bytes, part) => bytes + part.length, 0));
  sum.writeUInt32BE(named.reduce((crc, part) => crc32(part, crc), 0));
  return [length, ...named, sum];
}

export const isPng = (bytes: Buffer): boolean => bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE);

/** The size in px from the first bytes of a PNG. Null if they are not from a PNG. */
export function readPngHeader(bytes: Buffer): { width: number; height: number } | null {
  if (bytes.length < PNG_HEADER_BYTES || !bytes.subarray(0, START.length).equals(START)) return null;
  const [width, height] = [bytes.readUInt32BE(START.length), bytes.readUInt32BE(START.length + 4)];
  return width > 0 && height > 0 ? { width, height } : null;
}
