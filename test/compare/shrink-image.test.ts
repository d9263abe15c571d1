import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { cropImage, cropWhole, shrinkImage } from '../../src/compare/shrink-image.ts';
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

describe('cropWhole', () => {
  it.each([
    ['a part in its size, with a margin', [900, 800], { x: 100, y: 100, width: 400, height: 200 }, [432, 232]],
    ['a wide part at a smaller width', [1280, 800], { x: 0, y: 0, width: 1280, height: 800 }, [640, 400]],
    ['all of a tall part', [1280, 7000], { x: 0, y: 0, width: 1280, height: 7000 }, [640, 3500]],
    ['what is higher than a WebP can be', [100, 20_000], { x: 0, y: 0, width: 100, height: 20_000 }, [80, 16_000]],
  ])('shows %s', async (_what, [width = 0, height = 0], box, expected) => {
    const webp = await cropWhole(toPng(blankImage(width, height, GREEN)), box);
    const shown = await sharp(webp).metadata();
    expect([shown.width, shown.height]).toEqual(expected);
  });
});

describe('cropImage', () => {
  const image = toPng(blankImage(1000, 800, GREEN));

  it.each([
    ['a letter with the words around it', { x: 500, y: 400, width: 8, height: 12 }, [320, 96]],
    ['a part in the corner without leaving the image', { x: 990, y: 790, width: 10, height: 10 }, [320, 96]],
    ['a larger part with a margin', { x: 100, y: 100, width: 400, height: 200 }, [432, 232]],
    ['the whole image at a smaller width', { x: 0, y: 0, width: 1000, height: 800 }, [640, 512]],
    ['a part that is outside of the image', { x: 2000, y: 2000, width: 5, height: 5 }, [320, 96]],
  ])('shows %s', async (_what, box, expected) => {
    const { width, height } = await sharp(await cropImage(image, box)).metadata();
    expect([width, height]).toEqual(expected);
  });

  it('shows what changed in the middle', async () => {
    const marked = blankImage(1000, 800, GREEN);
    for (let x = 500; x < 510; x += 1) for (let y = 400; y < 410; y += 1) setPixel(marked, x, y, [255, 0, 0, 255]);
    const webp = await cropImage(toPng(marked), { x: 500, y: 400, width: 10, height: 10 });
    const { data, info } = await sharp(webp).raw().toBuffer({ resolveWithObject: true });
    const [red = 0, green = 0] = data.subarray((48 * info.width + 160) * info.channels);
    expect(red).toBeGreaterThan(green);
  });

  it('takes 64 KiB at most, for the noisiest picture as well', async () => {
    const noise = randomBytes(1280 * 960 * 4);
    const png = await sharp(noise, { raw: { width: 1280, height: 960, channels: 4 } })
      .png()
      .toBuffer();
    const webp = await cropImage(png, { x: 0, y: 0, width: 1280, height: 960 });
    expect(webp.length).toBeLessThanOrEqual(64 * 1024);
    expect((await sharp(webp).metadata()).width).toBeGreaterThanOrEqual(160);
  });

  it('takes an image that is smaller than what would be shown', async () => {
    const { width, height } = await sharp(
      await cropImage(toPng(blankImage(20, 10, GREEN)), { x: 5, y: 5, width: 2, height: 2 }),
    ).metadata();
    expect([width, height]).toEqual([20, 10]);
  });
});
