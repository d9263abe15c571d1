import { describe, expect, it } from '@jest/globals';
import { compareImages } from '../../src/compare/compare-images.ts';
import type { Image } from '../../src/png/image.ts';
import { blankImage, setPixel, toPng } from './random-images.ts';

const WHITE = [255, 255, 255, 255];
const RED = [200, 0, 0, 255];
const BLUE = [0, 0, 200, 255];

type Spot = { x: number; y: number; color: number[] };

function draw(image: Image, spots: Spot[]): Image {
  for (const { x, y, color } of spots) setPixel(image, x, y, color);
  return image;
}

/** The corners of a square of 10 px. */
const corners = (x: number, y: number, color = RED): Spot[] =>
  [0, 9].flatMap((right) => [0, 9].map((down) => ({ x: x + right, y: y + down, color })));

/** An image of 60 by 60 px, in which spots were drawn, and what is there before and after. */
async function regionsOf(drawn: Spot[], always: Spot[] = []) {
  const before = toPng(draw(blankImage(60, 60, WHITE), always));
  const after = toPng(draw(draw(blankImage(60, 60, WHITE), always), drawn));
  return (await compareImages(before, after, { threshold: 0 })).regions;
}

async function pictureOf(drawn: Spot[], always: Spot[] = []): Promise<string | undefined> {
  const regions = await regionsOf(drawn, always);
  expect(regions).toHaveLength(1);
  return regions[0]?.picture;
}

describe('the picture of a region', () => {
  it('is the same in another place, and whatever is between the pixels that differ', async () => {
    const one = await pictureOf(corners(5, 5));
    expect(await pictureOf(corners(40, 33))).toBe(one);
    expect(await pictureOf(corners(5, 5), [{ x: 9, y: 9, color: BLUE }])).toBe(one);
    const [[plain], [spotted]] = [
      await regionsOf(corners(5, 5)),
      await regionsOf(corners(5, 5), [{ x: 9, y: 9, color: BLUE }]),
    ];
    expect(plain?.fingerprint).not.toBe(spotted?.fingerprint);
  });

  it('is another one where a pixel differs that did not, or differs otherwise', async () => {
    const one = await pictureOf(corners(5, 5));
    expect(await pictureOf([...corners(5, 5), { x: 9, y: 9, color: RED }])).not.toBe(one);
    expect(await pictureOf(corners(5, 5, BLUE))).not.toBe(one);
    expect(await pictureOf(corners(5, 5), [{ x: 5, y: 5, color: BLUE }])).not.toBe(one);
  });
});
