import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { countTiles, cutTiles, tileRows, tilesIn } from '../../src/compare/tile.ts';
import { blankImage, randomNumbers, toPng } from './random-images.ts';

describe('tiles', () => {
  it('cover each row of an image, and repeat some of the next one', () => {
    const size = { width: 10, height: 2500 };
    expect(countTiles(size)).toBe(3);
    expect([0, 1, 2].map((tile) => tileRows(size, tile))).toEqual([
      { from: 0, to: 1032 },
      { from: 1024, to: 2056 },
      { from: 2048, to: 2500 },
    ]);
    expect(countTiles({ width: 10, height: 1024 })).toBe(1);
  });

  it.each([
    [{ from: 0, to: 1024 }, [0]],
    [{ from: 1000, to: 1025 }, [0, 1]],
    [{ from: 2048, to: 2049 }, [2]],
    [{ from: 5, to: 5 }, [0]],
  ])('that show the rows %j are %j', (rows, tiles) => {
    expect(tilesIn(rows)).toEqual(tiles);
  });

  it('keep each pixel unless they are scaled', async () => {
    const image = blankImage(64, 2100);
    const random = randomNumbers(1);
    for (let at = 0; at < image.pixels.length; at += 1) if (at % 4 < 3) image.pixels[at] = random() * 256;
    const png = toPng(image);
    const [one, other] = await cutTiles(png, image, [0, 1], null);
    const raw = async (webp: Buffer | undefined) => sharp(webp).ensureAlpha().raw().toBuffer();
    expect((await raw(one)).equals(image.pixels.subarray(0, 1032 * 64 * 4))).toBe(true);
    expect((await raw(other)).equals(image.pixels.subarray(1024 * 64 * 4, 2056 * 64 * 4))).toBe(true);
    const [scaled] = await cutTiles(png, image, [2], 32);
    expect(await sharp(scaled).metadata()).toMatchObject({ format: 'webp', width: 32, height: 26 });
  });
});
