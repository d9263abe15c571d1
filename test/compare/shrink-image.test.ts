import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { shrinkImage } from '../../src/compare/shrink-image.ts';
import { blankImage, setPixel, toPng } from './random-images.ts';

const GREEN = [0, 200, 0, 255];

async function shrunk(width: number, height: number, to: number) {
  const webp = await shrinkImage(toPng(blankImage(width, height, GREEN)), to);
  const { format, width: w, height: h } = await sharp(webp).metadata();
  return { format, width: w, height: h };
}

describe('shrinkImage', () => {
  it('makes a WebP of the width, in the shape of the image', async () => {
    expect(await shrunk(1280, 800, 192)).toEqual({ format: 'webp', width: 192, height: 120 });
  });

  it.each([
    [1280, 7000, 96, 144],
    [1280, 7000, 384, 576],
    [375, 5000, 192, 288],
    [800, 1200, 96, 144],
    [800, 1201, 96, 144],
  ])('shows of %i × %i px no more than 1.5 times the width %i', async (width, height, to, expected) => {
    expect(await shrunk(width, height, to)).toMatchObject({ width: to, height: expected });
  });

  it('shows the top of the image', async () => {
    const image = blankImage(100, 1000, GREEN);
    for (let x = 0; x < 100; x += 1) {
      for (let y = 150; y < 1000; y += 1) setPixel(image, x, y, [255, 0, 0, 255]);
    }
    const webp = await shrinkImage(toPng(image), 96);
    const { dominant } = await sharp(webp).stats();
    expect(dominant.g).toBeGreaterThan(dominant.r);
    const { channels } = await sharp(webp).stats();
    expect(channels[0]?.max).toBeLessThan(50);
  });

  it('leaves an image that is slimmer as wide as it is', async () => {
    expect(await shrunk(375, 5000, 768)).toMatchObject({ width: 375, height: 562 });
  });

  it.each([
    [1, 1],
    [1, 4000],
    [4000, 1],
  ])('takes an image of %i × %i px', async (width, height) => {
    expect((await shrunk(width, height, 96)).height).toBeGreaterThan(0);
  });

  it('says so when the file is no PNG that can be read', async () => {
    const png = toPng(blankImage(50, 50, GREEN));
    for (const bytes of [Buffer.from('<html>'), Buffer.alloc(0), png.subarray(0, png.length >> 1)]) {
      await expect(shrinkImage(bytes, 96)).rejects.toThrow('The stored screenshot is not a readable PNG');
    }
  });
});
