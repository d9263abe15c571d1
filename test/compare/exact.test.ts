import { describe, expect, it } from '@jest/globals';
import { compareImages } from '../../src/compare/compare-images.ts';
import type { Image } from '../../src/png/image.ts';
import { blankImage, copyImage, fillBox, randomNumbers, setPixel, toPng } from './random-images.ts';

const compare = (one: Image, other: Image) => compareImages(toPng(one), toPng(other), { threshold: 0 });

describe('threshold 0', () => {
  it('counts a pixel that differs by one level in one channel, each of them', async () => {
    for (const change of [
      [101, 100, 100, 255],
      [100, 101, 100, 255],
      [100, 100, 101, 255],
      [100, 100, 100, 254],
    ]) {
      const [one, other] = [blankImage(9, 9, [100, 100, 100, 255]), blankImage(9, 9, [100, 100, 100, 255])];
      setPixel(other, 4, 4, change);
      expect(await compare(one, other)).toMatchObject({
        differentPixels: 1,
        regions: [{ x: 4, y: 4, width: 1, height: 1 }],
      });
    }
  });

  it('counts each pixel with other bytes, whatever the pixels are', async () => {
    const random = randomNumbers(3);
    for (let round = 0; round < 40; round += 1) {
      const one = blankImage(30, 30);
      for (let at = 0; at < one.pixels.length; at += 1) one.pixels[at] = Math.floor(random() * 256);
      const other = copyImage(one);
      let changed = 0;
      for (let at = 0; at < 30 * 30; at += 1) {
        if (random() < 0.9) continue;
        const byte = at * 4 + Math.floor(random() * 4);
        other.pixels[byte] = (other.pixels[byte] ?? 0) ^ (1 << Math.floor(random() * 8));
        changed += 1;
      }
      expect((await compare(one, other)).differentPixels).toBe(changed);
    }
  });
});

/** A page of gray text on white, on which a change is painted. */
function paintedPair(before: number[], after: number[], box = { x: 20, y: 20, width: 60, height: 30 }): [Image, Image] {
  const [one, other] = [blankImage(100, 80), blankImage(100, 80)];
  fillBox(one, box, before);
  fillBox(other, box, after);
  return [one, other];
}

const gray = (level: number) => [level, level, level, 255];

describe('a change that a person would hardly see', () => {
  it.each([
    ['a background from #fff to #f8f8f8', gray(255), gray(248)],
    ['a dark area one level brighter', gray(20), gray(21)],
    ['the noise of another rasterizer', [120, 90, 200, 255], [121, 89, 201, 255]],
  ])('is faint: %s', async (_, before, after) => {
    const { regions, faint } = await compare(...paintedPair(before, after));
    expect(regions).toMatchObject([{ faint: true }]);
    expect(faint).toBe(true);
  });

  it('is a photo three levels brighter', async () => {
    const random = randomNumbers(11);
    const one = blankImage(100, 80);
    const other = copyImage(one);
    for (let at = 0; at < one.pixels.length; at += 1) {
      const level = Math.floor(random() * 250);
      one.pixels[at] = at % 4 === 3 ? 255 : level;
      other.pixels[at] = at % 4 === 3 ? 255 : level + 3;
    }
    expect(await compare(one, other)).toMatchObject({ faint: true });
  });

  it.each([
    ['a border from #ddd to #ccc', paintedPair(gray(0xdd), gray(0xcc), { x: 10, y: 10, width: 80, height: 1 })],
    ['a border from #ccc to #ddd', paintedPair(gray(0xcc), gray(0xdd), { x: 10, y: 10, width: 1, height: 50 })],
    ['text from #333 to #444', paintedPair(gray(0x33), gray(0x44), { x: 10, y: 10, width: 6, height: 9 })],
    ['text of opacity 0.9', paintedPair(gray(0x33), gray(0x47))],
    ['a soft shadow, 5 % black', paintedPair(gray(255), gray(242))],
    ['a line of one pixel', paintedPair(gray(255), gray(200), { x: 50, y: 50, width: 1, height: 1 })],
  ])('is not %s', async (_, [one, other]) => {
    const { regions, faint } = await compare(one, other);
    expect(regions).toMatchObject([{ faint: false }]);
    expect(faint).toBe(false);
  });

  it('is told for each region, and for all only where each is faint', async () => {
    const [one, other] = paintedPair(gray(255), gray(248));
    setPixel(other, 99, 79, [0, 0, 0, 255]);
    const { regions, faint } = await compare(one, other);
    expect(regions).toMatchObject([{ faint: true }, { faint: false }]);
    expect(faint).toBe(false);
  });

  it('is nothing where nothing differs', async () => {
    expect(await compare(blankImage(4, 4), blankImage(4, 4))).toMatchObject({ faint: false, regions: [] });
  });
});

describe('the fingerprint of a region', () => {
  async function fingerprintOf(x: number, y: number, after = [255, 0, 0, 255]): Promise<string | undefined> {
    const [one, other] = [blankImage(200, 300), blankImage(200, 300)];
    fillBox(one, { x, y, width: 30, height: 20 }, gray(90));
    fillBox(other, { x, y, width: 30, height: 20 }, after);
    return (await compare(one, other)).regions[0]?.fingerprint;
  }

  it('is the same wherever the change is, and another one for another change', async () => {
    const here = await fingerprintOf(10, 20);
    expect(await fingerprintOf(120, 271)).toBe(here);
    expect(await fingerprintOf(10, 20, [255, 0, 1, 255])).not.toBe(here);
    expect(here).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('ignored areas', () => {
  const box = { x: 20, y: 20, width: 30, height: 20 };
  const [one, other] = [blankImage(100, 80), blankImage(100, 80)];
  fillBox(other, box, gray(0));
  setPixel(other, 70, 70, gray(0));
  const ignoring = (baseline: (typeof box)[], current: (typeof box)[]) =>
    compareImages(toPng(one), toPng(other), { threshold: 0, ignore: { baseline, current } });

  it('are neither counted nor part of a region, whichever image they are of', async () => {
    const expected = { differentPixels: 1, ignoredPixels: 600, regions: [{ x: 70, y: 70, width: 1, height: 1 }] };
    expect(await ignoring([box], [])).toMatchObject(expected);
    expect(await ignoring([], [box])).toMatchObject(expected);
    expect(await ignoring([box], [box])).toMatchObject(expected);
  });

  it('may lie across the edge of the image', async () => {
    const across = { x: -5, y: 30, width: 500, height: 500 };
    expect(await ignoring([across], [])).toMatchObject({ differentPixels: 300, ignoredPixels: 301 });
  });

  it('leave nothing to see where everything else is the same', async () => {
    const whole = { x: 0, y: 0, width: 100, height: 80 };
    expect(await ignoring([], [whole])).toMatchObject({
      differentPixels: 0,
      diffPercentage: 0,
      diffImage: null,
      regions: [],
      ignoredPixels: 601,
    });
  });
});
