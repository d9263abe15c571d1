import { describe, expect, it } from '@jest/globals';
import { PNG, type PNGOptions } from 'pngjs';
import sharp from 'sharp';
import { compareImages } from '../../src/compare/compare-images.ts';
import { decodePng, encodePalette, encodePng, readPngSize } from '../../src/png/codec.ts';
import { encodeStrips } from '../../src/png/strips.ts';
import { blankImage, randomPair, setPixel, toPng } from '../compare/random-images.ts';

const ramp = blankImage(16, 16);
for (let at = 0; at < 256; at += 1) setPixel(ramp, at % 16, at >> 4, [at, 255 - at, (at * 7) & 255, 255]);
const grayRamp = blankImage(16, 16);
for (let at = 0; at < 256; at += 1) setPixel(grayRamp, at % 16, at >> 4, [at, at, at, 255]);

function writeAs(pixels: Buffer, options: PNGOptions): Buffer {
  return PNG.sync.write(Object.assign(new PNG({ width: 16, height: 16 }), { data: pixels }), options);
}

/** A byte times 257 is the same color in 16 bits. */
function widened(pixels: Buffer): Buffer {
  return Buffer.from(Uint16Array.from(pixels, (value) => value * 257).buffer);
}

describe('decodePng', () => {
  it('reads RGBA with transparent pixels as they are', async () => {
    const [image] = randomPair(4, (random) => Math.floor(random() * 256));
    expect(await decodePng(toPng(image), 'baseline')).toEqual(image);
  });

  it('reads RGB without alpha', async () => {
    expect(await decodePng(writeAs(ramp.pixels, { colorType: 2 }), 'baseline')).toEqual(ramp);
  });

  it('reads grayscale, with and without alpha', async () => {
    expect(await decodePng(writeAs(grayRamp.pixels, { colorType: 0 }), 'baseline')).toEqual(grayRamp);
    expect(await decodePng(writeAs(grayRamp.pixels, { colorType: 4 }), 'baseline')).toEqual(grayRamp);
  });

  it('reads 16 bits a channel', async () => {
    const options = { bitDepth: 16, inputHasAlpha: true } as const;
    const rgba = writeAs(widened(ramp.pixels), { ...options, colorType: 6 });
    const gray = writeAs(widened(grayRamp.pixels), { ...options, colorType: 0 });
    expect(await decodePng(rgba, 'baseline')).toEqual(ramp);
    expect(await decodePng(gray, 'baseline')).toEqual(grayRamp);
  });

  it('reads a palette and an interlaced image', async () => {
    const raw = { width: 16, height: 16, channels: 4 } as const;
    const flat = blankImage(16, 16, [10, 200, 30, 255]);
    setPixel(flat, 3, 3, [250, 5, 90, 255]);
    const palette = await sharp(flat.pixels, { raw }).png({ palette: true, effort: 1 }).toBuffer();
    const interlaced = await sharp(ramp.pixels, { raw }).png({ progressive: true }).toBuffer();
    expect((await decodePng(palette, 'baseline')).pixels.equals(PNG.sync.read(palette).data)).toBe(true);
    expect(await decodePng(interlaced, 'baseline')).toEqual(ramp);
  });

  it('takes the numbers as they are, whatever color profile the file carries', async () => {
    const plain = toPng(ramp);
    const displayP3 = await sharp(plain).withIccProfile('p3').png().toBuffer();
    const start = displayP3.indexOf('iCCP') - 4;
    const chunk = displayP3.subarray(start, start + 12 + displayP3.readUInt32BE(start));
    const endOfHeader = 33;
    const tagged = Buffer.concat([plain.subarray(0, endOfHeader), chunk, plain.subarray(endOfHeader)]);
    expect(await decodePng(tagged, 'baseline')).toEqual(ramp);
  });
});

describe('encodePng', () => {
  it('writes what an independent reader reads back', async () => {
    const [image] = randomPair(7);
    const read = PNG.sync.read(await encodePng(image));
    expect(read).toMatchObject({ width: image.width, height: image.height });
    expect(read.data.equals(image.pixels)).toBe(true);
  });
});

describe('encodeStrips', () => {
  it.each([1, 7, 500])('writes what an independent reader reads back, %i rows at once', async (rows) => {
    for (const [image] of [randomPair(7), randomPair(8)]) {
      const readRows = (top: number, bottom: number) =>
        Buffer.from(image.pixels.subarray(top * image.width * 4, bottom * image.width * 4));
      const read = PNG.sync.read(await encodeStrips(image, rows, readRows));
      expect(read).toMatchObject({ width: image.width, height: image.height });
      expect(read.data.equals(image.pixels)).toBe(true);
      expect((await decodePng(await encodeStrips(image, rows, readRows), 'current')).pixels.equals(image.pixels)).toBe(
        true,
      );
    }
  });
});

describe('encodePalette', () => {
  it('writes a PNG with this palette that an independent reader reads', async () => {
    const palette = Buffer.from([10, 20, 30, 255, 0, 0, 1, 2, 3]);
    const png = await encodePalette({ width: 3, height: 2 }, Buffer.from([0, 1, 2, 2, 1, 0]), palette);
    const colors = (...indexes: number[]) =>
      Buffer.concat(indexes.map((at) => Buffer.from([...palette.subarray(at * 3, at * 3 + 3), 255])));
    expect(PNG.sync.read(png).data.equals(colors(0, 1, 2, 2, 1, 0))).toBe(true);
    expect((await decodePng(png, 'current')).pixels.equals(colors(0, 1, 2, 2, 1, 0))).toBe(true);
  });
});

describe('readPngSize', () => {
  it('says how large an image is', async () => {
    expect(await readPngSize(toPng(blankImage(31, 7)), 'baseline')).toEqual({ width: 31, height: 7 });
  });
});

describe('A file that is no PNG', () => {
  const good = toPng(ramp);
  const flipped = Buffer.from(good);
  flipped.writeUInt8((flipped[good.length - 40] ?? 0) ^ 0xff, good.length - 40);
  const tooLarge = Buffer.from(good);
  tooLarge.writeUInt32BE(60_000, 16);
  tooLarge.writeUInt32BE(60_000, 20);
  const bad: [string, Buffer][] = [
    ['an empty file', Buffer.alloc(0)],
    ['a text', Buffer.from('<html>not found</html>')],
    ['a vector image', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"/>')],
    ['the first half of a PNG', good.subarray(0, good.length >> 1)],
    ['a PNG without its end', good.subarray(0, good.length - 30)],
    ['a PNG with a flipped byte', flipped],
    ['a PNG that claims to be enormous', tooLarge],
  ];

  it.each(bad)('is refused with the name of the image: %s', async (_, bytes) => {
    const options = { threshold: 0.1 };
    await expect(compareImages(bytes, good, options)).rejects.toThrow(/^The baseline screenshot is not a readable PNG/);
    await expect(compareImages(good, bytes, options)).rejects.toThrow(/^The current screenshot is not a readable PNG/);
  });

  it('is refused even where both are the same bytes', async () => {
    const junk = Buffer.from('junk');
    await expect(compareImages(junk, junk, { threshold: 0.1 })).rejects.toThrow(
      'The baseline screenshot is not a readable PNG',
    );
  });

  it('is refused where it is a JPEG', async () => {
    const jpeg = await sharp(good).jpeg().toBuffer();
    await expect(decodePng(jpeg, 'current')).rejects.toThrow('The current screenshot is not a readable PNG');
  });
});
