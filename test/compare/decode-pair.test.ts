import { describe, expect, it } from '@jest/globals';
import { alignImages } from '../../src/compare/align/align-images.ts';
import { decodePair } from '../../src/compare/decode-pair.ts';
import { drawCanvas } from '../../src/compare/draw-canvas.ts';
import { plainLayout } from '../../src/compare/layout.ts';
import { maskBoxes } from '../../src/compare/mask-boxes.ts';
import { cropRows, type Image } from '../../src/png/image.ts';
import { randomBlocks, stackImages, textBlock } from './align/random-page.ts';
import { blankImage, copyImage, toPng } from './random-images.ts';

const { blocks, random } = randomBlocks(4, 20, 60);
const page = stackImages(blocks);
const longer = stackImages(blocks.toSpliced(3, 0, textBlock(random, 60)));
const masked = [
  { x: 5, y: 90, width: 30, height: 40 },
  { x: 20, y: 100, width: 90, height: 900 },
];

/** Decoded as tall pages are. */
const share = (one: Image, other: Image) => decodePair(toPng(one), toPng(other), [...masked, ...masked], 0);

const pixelsOf = (image: Image) => Buffer.from(cropRows(image, 0, image.width, { from: 0, to: image.height }));

describe('two tall images', () => {
  it('have the pixels that they have when each is decoded for itself', async () => {
    const [one, other] = await share(page, longer);
    expect(one.shared).toBeDefined();
    expect(pixelsOf(one).equals(page.pixels)).toBe(true);
    expect(pixelsOf(other).equals(longer.pixels)).toBe(true);
  });

  it('share the rows that they have in common', async () => {
    const [one, other] = await share(page, longer);
    expect(other.pixels).toBe(one.pixels);
    expect(one.shared?.pool.used).toBeLessThan(page.height);
  });

  it('share nothing with an image of another width', async () => {
    const wide = blankImage(70, 40);
    const [one, other] = await share(page, wide);
    expect(pixelsOf(one).equals(page.pixels)).toBe(true);
    expect(pixelsOf(other).equals(wide.pixels)).toBe(true);
  });

  it('are lined up and judged as others are', async () => {
    const [one, other] = await share(page, longer);
    const layout = alignImages(one, other);
    expect(layout).toEqual(alignImages(page, longer));
    for (const threshold of [0, 0.1]) {
      const shared = { baseline: one, current: other, layout: plainLayout(one, other), ignored: [] };
      const whole = { ...shared, baseline: page, current: longer };
      expect(drawCanvas(shared, threshold).bytes.equals(drawCanvas(whole, threshold).bytes)).toBe(true);
    }
  });

  it('are painted over as others are, and look as before when that is undone', async () => {
    const [one, other] = await share(page, longer);
    const plain = copyImage(page);
    const undo = [maskBoxes(one, masked), maskBoxes(other, masked), maskBoxes(plain, masked)];
    expect(pixelsOf(one).equals(plain.pixels)).toBe(true);
    expect(plain.pixels.equals(page.pixels)).toBe(false);
    for (const restore of undo) restore();
    expect(pixelsOf(one).equals(page.pixels)).toBe(true);
    expect(pixelsOf(other).equals(longer.pixels)).toBe(true);
    expect(plain.pixels.equals(page.pixels)).toBe(true);
  });
});
