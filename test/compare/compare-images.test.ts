import { describe, expect, it } from '@jest/globals';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { COMPARE_ENGINE } from '../../src/compare/compare-apart.ts';
import { compareImages } from '../../src/compare/compare-images.ts';
import { sliceRows, type Image } from '../../src/png/image.ts';
import { blankImage, randomPair, setPixel, toPng } from './random-images.ts';

const RED = [255, 0, 0, 255];
const WHITE = [255, 255, 255, 255];

function wholeImage(one: Image, other: Image, threshold: number): { count: number; drawing: Buffer } {
  const drawing = Buffer.alloc(one.pixels.length);
  const options = { threshold, includeAA: threshold === 0 };
  const count = pixelmatch(one.pixels, other.pixels, drawing, one.width, one.height, options);
  return { count, drawing };
}

async function compare(one: Image, other: Image, threshold = 0.1) {
  const comparison = await compareImages(toPng(one), toPng(other), { threshold, alignment: false });
  const drawn = comparison.diffImage === null ? null : PNG.sync.read(comparison.diffImage);
  const pixel = (x: number, y: number) => [...(drawn?.data.subarray((y * drawn.width + x) * 4).subarray(0, 4) ?? [])];
  return { ...comparison, drawn, pixel };
}

/** There is a diff image only if something differs. If there is none, nothing in it can be wrong. */
const isDrawnAs = (drawn: PNG | null, drawing: Buffer) => drawn === null || drawn.data.equals(drawing);

/** Where our result differs from pixelmatch's over the whole image, and how many of the pairs differ at all. */
async function againstWholeImages(pairs: [Image, Image][], threshold = 0.1) {
  const wrong: number[] = [];
  let different = 0;
  for (const [index, [one, other]] of pairs.entries()) {
    const whole = wholeImage(one, other, threshold);
    const { differentPixels, drawn } = await compare(one, other, threshold);
    if (differentPixels !== whole.count || !isDrawnAs(drawn, whole.drawing)) wrong.push(index);
    if (drawn !== null) different += 1;
  }
  return { wrong, different };
}

const seeds = Array.from({ length: 100 }, (_, seed) => seed + 1);
const pairs = seeds.map((seed) => randomPair(seed));

describe('compareImages', () => {
  it('counts and draws exactly what pixelmatch does over the whole image', async () => {
    const { wrong, different } = await againstWholeImages(pairs);
    expect(wrong).toEqual([]);
    expect(different).toBeGreaterThan(80);
  });

  it.each([0, 0.01, 0.5, 1])('does so with threshold %d', async (threshold) => {
    expect(await againstWholeImages(pairs.slice(0, 20), threshold)).toMatchObject({ wrong: [] });
  });

  it('does so for images that are transparent in part', async () => {
    const transparent = (random: () => number) => [255, 128, 3, 0][Math.floor(random() * 4)] ?? 255;
    const { wrong, different } = await againstWholeImages(seeds.map((seed) => randomPair(seed, transparent)));
    expect(wrong).toEqual([]);
    expect(different).toBeGreaterThan(80);
  });

  it('does so where transparency lies far from every change', async () => {
    const one = blankImage(40, 200, [90, 120, 200, 255]);
    setPixel(one, 3, 190, [0, 0, 0, 77]);
    const other = { ...one, pixels: Buffer.from(one.pixels) };
    setPixel(other, 20, 20, [0, 0, 0, 255]);
    expect(await againstWholeImages([[one, other]])).toEqual({ wrong: [], different: 1 });
  });

  it('finds the same without images of it', async () => {
    const [one, other] = [blankImage(40, 200), blankImage(40, 220)];
    setPixel(other, 20, 20, [0, 0, 0, 255]);
    const { diffImage, aligned, ...found } = await compareImages(toPng(one), toPng(other), { threshold: 0 });
    expect([diffImage, aligned]).not.toContain(null);
    const bare = await compareImages(toPng(one), toPng(other), { threshold: 0, images: false });
    expect(bare).toEqual({ ...found, diffImage: null, aligned: null });
  });

  it('finds no difference in the same bytes', async () => {
    const png = toPng(blankImage(7, 9));
    expect(await compareImages(png, Buffer.from(png), { threshold: 0.1 })).toEqual({
      diffPercentage: 0,
      differentPixels: 0,
      width: 7,
      height: 9,
      diffImage: null,
      regions: [],
      filler: [],
      faint: false,
      ignoredPixels: 0,
      ignored: [],
      moves: [],
      aligned: null,
    });
  });

  it('finds no difference in the same pixels written differently', async () => {
    const image = blankImage(7, 9, [1, 2, 3, 255]);
    const other = PNG.sync.write(Object.assign(new PNG({ width: 7, height: 9 }), { data: image.pixels }), {
      colorType: 2,
    });
    expect(await compareImages(toPng(image), other, { threshold: 0 })).toMatchObject({
      differentPixels: 0,
      diffPercentage: 0,
      diffImage: null,
    });
  });

  it('finds no difference where colors differ by less than the threshold', async () => {
    const outcome = await compare(blankImage(5, 5, [100, 100, 100, 255]), blankImage(5, 5, [101, 100, 100, 255]));
    expect(outcome).toMatchObject({ differentPixels: 0, diffPercentage: 0, diffImage: null });
  });

  it('rounds the percentage to four decimals', async () => {
    const other = blankImage(7, 1);
    setPixel(other, 3, 0, RED);
    expect(await compare(blankImage(7, 1), other)).toMatchObject({ differentPixels: 1, diffPercentage: 14.2857 });
  });

  it('never rounds a difference to none', async () => {
    const other = blankImage(2000, 2000);
    setPixel(other, 1000, 1000, RED);
    expect(await compare(blankImage(2000, 2000), other)).toMatchObject({
      differentPixels: 1,
      diffPercentage: 0.0001,
    });
  });

  it('calls images without a common pixel value wholly different', async () => {
    const outcome = await compare(blankImage(4, 4, [0, 0, 0, 255]), blankImage(4, 4));
    expect(outcome).toMatchObject({ differentPixels: 16, diffPercentage: 100 });
  });

  it('names the judge and the codec with their versions', () => {
    expect(COMPARE_ENGINE).toMatch(/^pixelmatch \d+\.\d+\.\d+; sharp \d+\.\d+\.\d+$/);
  });
});

/** The image with more columns to its right and more rows below. */
function framed(image: Image, right: number, below: number): Image {
  const larger = blankImage(image.width + right, image.height + below, [9, 9, 9, 255]);
  for (let row = 0; row < image.height; row += 1) {
    larger.pixels.set(sliceRows(image, { from: row, to: row + 1 }), row * larger.width * 4);
  }
  return larger;
}

function corner({ width, data }: { width: number; data: Buffer }, size: Image): Buffer {
  return Buffer.concat(
    Array.from({ length: size.height }, (_, row) => data.subarray(row * width * 4, (row * width + size.width) * 4)),
  );
}

describe('compareImages of two sizes', () => {
  it('counts the rows that only the taller image has, whichever of the two it is', async () => {
    const [low, tall] = [blankImage(10, 20), blankImage(10, 25)];
    for (const outcome of [await compare(low, tall), await compare(tall, low)]) {
      expect(outcome).toMatchObject({ width: 10, height: 25, differentPixels: 50, diffPercentage: 20 });
      expect(outcome.drawn).toMatchObject({ width: 10, height: 25 });
      expect([outcome.pixel(9, 19), outcome.pixel(0, 20), outcome.pixel(9, 24)]).toEqual([WHITE, RED, RED]);
    }
  });

  it('counts the columns that only the wider image has', async () => {
    const [slim, wide] = [blankImage(10, 20), blankImage(13, 20)];
    for (const outcome of [await compare(slim, wide), await compare(wide, slim)]) {
      expect(outcome).toMatchObject({ width: 13, height: 20, differentPixels: 60 });
      expect([outcome.pixel(9, 19), outcome.pixel(10, 0), outcome.pixel(12, 19)]).toEqual([WHITE, RED, RED]);
    }
  });

  it('does not count the corner that neither has', async () => {
    const outcome = await compare(blankImage(10, 20), blankImage(8, 30));
    expect(outcome).toMatchObject({ width: 10, height: 30, differentPixels: 2 * 20 + 8 * 10 });
    expect(outcome.regions).toMatchObject([{ x: 0, y: 0, width: 10, height: 30 }]);
    expect([outcome.pixel(9, 0), outcome.pixel(7, 20), outcome.pixel(8, 20), outcome.pixel(9, 29)]).toEqual([
      RED,
      RED,
      WHITE,
      WHITE,
    ]);
  });

  it('judges what both have as pixelmatch does', async () => {
    for (const [index, [one, other]] of pairs.slice(0, 40).entries()) {
      const whole = wholeImage(one, other, 0.1);
      const larger = framed(other, 1 + (index % 4), index % 3);
      const { differentPixels, drawn } = await compare(one, larger);
      expect(differentPixels).toBe(whole.count + larger.width * larger.height - one.width * one.height);
      expect(drawn !== null && corner(drawn, one).equals(whole.drawing)).toBe(true);
    }
  });
});
