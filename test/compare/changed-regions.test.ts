import { describe, expect, it } from '@jest/globals';
import { PNG } from 'pngjs';
import { compareImages } from '../../src/compare/compare-images.ts';
import type { Region } from '../../src/elements/region.ts';
import type { Image } from '../../src/png/image.ts';
import { blankImage, randomNumbers, randomPair, setPixel, toPng } from './random-images.ts';

const BLACK = [0, 0, 0, 255];

function paint(image: Image, { x, y, width, height }: Region): void {
  for (let row = y; row < y + height; row += 1) {
    for (let column = x; column < x + width; column += 1) setPixel(image, column, row, BLACK);
  }
}

/** Without alignment: the boxes alone, and the diff image. */
async function comparePlainly(before: Buffer, after: Buffer, threshold = 0.1) {
  const { regions, diffImage } = await compareImages(before, after, { threshold, alignment: false });
  return { regions: regions.map(({ x, y, width, height }) => ({ x, y, width, height })), diffImage };
}

/** The regions in which a white image differs from the same image with black boxes. */
async function regionsOf(boxes: Region[], size = { width: 400, height: 600 }): Promise<Region[]> {
  const painted = blankImage(size.width, size.height);
  for (const box of boxes) paint(painted, box);
  const [before, after] = [toPng(blankImage(size.width, size.height)), toPng(painted)];
  return (await comparePlainly(before, after)).regions;
}

/** Every pixel that the diff image marks: those that differ by pixelmatch, and those that only one image has. */
function markedPixels(diffImage: Buffer | null): { x: number; y: number }[] {
  if (diffImage === null) return [];
  const { width, data } = PNG.sync.read(diffImage);
  const marked: { x: number; y: number }[] = [];
  for (let at = 0; at < data.length; at += 4) {
    const pixel = at / 4;
    if (data.readUIntBE(at, 3) === 0xff0000) marked.push({ x: pixel % width, y: Math.floor(pixel / width) });
  }
  return marked;
}

const holds = ({ x, y, width, height }: Region, pixel: { x: number; y: number }) =>
  pixel.x >= x && pixel.x < x + width && pixel.y >= y && pixel.y < y + height;

/** The distance of two regions in px, across or down, whichever is larger. Negative if they overlap. */
const between = (one: Region, other: Region) =>
  Math.max(
    one.x - other.x - other.width,
    other.x - one.x - one.width,
    one.y - other.y - other.height,
    other.y - one.y - one.height,
  );

/** The slow way: start with one box for each pixel, and merge boxes that are near until none are. */
function mergedOneByOne(pixels: { x: number; y: number }[]): Region[] {
  const regions: Region[] = [];
  for (const pixel of pixels) {
    let grown: Region = { ...pixel, width: 1, height: 1 };
    let at = -1;
    while ((at = regions.findIndex((other) => between(grown, other) <= 16)) !== -1) {
      const [other = grown] = regions.splice(at, 1);
      const [x, y] = [Math.min(grown.x, other.x), Math.min(grown.y, other.y)];
      const right = Math.max(grown.x + grown.width, other.x + other.width);
      const bottom = Math.max(grown.y + grown.height, other.y + other.height);
      grown = { x, y, width: right - x, height: bottom - y };
    }
    regions.push(grown);
  }
  return regions.sort((one, other) => one.y - other.y || one.x - other.x);
}

/** Two images of the same or of different sizes that differ in a few small places. */
function scatteredPair(seed: number): [Image, Image] {
  const random = randomNumbers(seed);
  const upTo = (most: number) => Math.floor(random() * most);
  const size = { width: 60 + upTo(240), height: 60 + upTo(400) };
  const other = blankImage(size.width + upTo(2) * upTo(30), size.height + upTo(2) * upTo(60));
  for (let left = upTo(40); left > 0; left -= 1) {
    paint(other, { x: upTo(size.width - 9), y: upTo(size.height - 9), width: 1 + upTo(8), height: 1 + upTo(8) });
  }
  return [blankImage(size.width, size.height), other];
}

describe('the changed regions', () => {
  const seeds = Array.from({ length: 30 }, (_, seed) => seed + 1);

  it('are those that merging pixel by pixel gives, for scattered changes and images of two sizes', async () => {
    const wrong: number[] = [];
    for (const seed of seeds) {
      const [one, other] = scatteredPair(seed);
      const { regions, diffImage } = await comparePlainly(toPng(one), toPng(other));
      if (JSON.stringify(regions) !== JSON.stringify(mergedOneByOne(markedPixels(diffImage)))) wrong.push(seed);
    }
    expect(wrong).toEqual([]);
  });

  it('are so for soft shapes, where what only anti-aliasing moved is left out', async () => {
    const wrong: number[] = [];
    for (const seed of seeds) {
      const [one, other] = randomPair(seed);
      const { regions, diffImage } = await comparePlainly(toPng(one), toPng(other));
      if (JSON.stringify(regions) !== JSON.stringify(mergedOneByOne(markedPixels(diffImage)))) wrong.push(seed);
    }
    expect(wrong).toEqual([]);
  });

  it('are none where nothing differs', async () => {
    expect(await regionsOf([])).toEqual([]);
  });

  it('are one for a single pixel in the last corner', async () => {
    const corner = { x: 399, y: 599, width: 1, height: 1 };
    expect(await regionsOf([corner])).toEqual([corner]);
  });

  it('are one where 16 px lie between two changes, and two where 17 do', async () => {
    const first = { x: 10, y: 20, width: 30, height: 10 };
    expect(await regionsOf([first, { x: 56, y: 20, width: 4, height: 10 }])).toEqual([
      { x: 10, y: 20, width: 50, height: 10 },
    ]);
    const aside = { x: 57, y: 20, width: 3, height: 10 };
    expect(await regionsOf([first, aside])).toEqual([first, aside]);
    expect(await regionsOf([first, { x: 10, y: 46, width: 30, height: 4 }])).toEqual([
      { x: 10, y: 20, width: 30, height: 30 },
    ]);
    const below = { x: 10, y: 47, width: 30, height: 3 };
    expect(await regionsOf([first, below])).toEqual([first, below]);
  });

  it('are one for the lines of a paragraph, and two for two paragraphs', async () => {
    const lines = (top: number) =>
      [0, 1, 2].map((line) => ({ x: 40, y: top + line * 24, width: 300 - line * 50, height: 12 }));
    expect(await regionsOf([...lines(50), ...lines(160)])).toEqual([
      { x: 40, y: 50, width: 300, height: 60 },
      { x: 40, y: 160, width: 300, height: 60 },
    ]);
  });

  it('are in reading order: the higher first, then the one to the left', async () => {
    const regions = [
      { x: 300, y: 10, width: 5, height: 200 },
      { x: 10, y: 100, width: 5, height: 5 },
      { x: 100, y: 100, width: 5, height: 5 },
    ];
    expect(await regionsOf(regions.toReversed())).toEqual(regions);
  });

  it('take in what lies inside of a change that surrounds it', async () => {
    const frame = [
      { x: 50, y: 50, width: 200, height: 4 },
      { x: 50, y: 50, width: 4, height: 200 },
      { x: 246, y: 50, width: 4, height: 200 },
      { x: 50, y: 246, width: 200, height: 4 },
    ];
    expect(await regionsOf([...frame, { x: 140, y: 140, width: 20, height: 20 }])).toEqual([
      { x: 50, y: 50, width: 200, height: 200 },
    ]);
  });

  it('are 100 at most: what is farther apart is merged then, and nothing is left out', async () => {
    const grid = (rows: number) =>
      Array.from({ length: rows * 10 }, (_, at) => ({
        x: 5 + (at % 10) * 39,
        y: 5 + Math.floor(at / 10) * 39,
        width: 2,
        height: 2,
      }));
    expect(await regionsOf(grid(10))).toEqual(grid(10));
    expect(await regionsOf(grid(11))).toEqual([{ x: 5, y: 5, width: 353, height: 392 }]);
  });

  it('have the rows that only the taller image has', async () => {
    const [low, tall] = [toPng(blankImage(50, 60)), toPng(blankImage(50, 100))];
    const below = [{ x: 0, y: 60, width: 50, height: 40 }];
    expect((await comparePlainly(low, tall)).regions).toEqual(below);
    expect((await comparePlainly(tall, low)).regions).toEqual(below);
  });

  it('have the columns that only the wider image has', async () => {
    const [slim, wide] = [toPng(blankImage(50, 60)), toPng(blankImage(70, 60))];
    expect((await comparePlainly(wide, slim)).regions).toEqual([{ x: 50, y: 0, width: 20, height: 60 }]);
  });

  it('hold every marked pixel, and none is without one, where images differ nearly everywhere', async () => {
    const random = randomNumbers(5);
    const noise = (): Image => {
      const image = blankImage(300, 300);
      for (let at = 0; at < image.pixels.length; at += 1) {
        if (at % 4 !== 3) image.pixels.writeUInt8(Math.floor(random() * 256), at);
      }
      return image;
    };
    const { regions, diffImage } = await comparePlainly(toPng(noise()), toPng(noise()), 0.3);
    const marked = markedPixels(diffImage);
    expect(marked.length).toBeGreaterThan(0);
    expect(marked.filter((pixel) => !regions.some((region) => holds(region, pixel)))).toEqual([]);
    expect(regions.filter((region) => !marked.some((pixel) => holds(region, pixel)))).toEqual([]);
    expect(regions.length).toBeLessThanOrEqual(100);
  });
});
