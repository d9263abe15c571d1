import { PNG } from 'pngjs';
import type { Region } from '../../src/elements/region.ts';
import type { Image } from '../../src/png/image.ts';

/** mulberry32: numbers from 0 to 1. The same seed gives the same numbers. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function blankImage(width: number, height: number, color = [255, 255, 255, 255]): Image {
  return { width, height, pixels: Buffer.alloc(width * height * 4, Buffer.from(color)) };
}

export function setPixel({ width, pixels }: Image, x: number, y: number, color: number[]): void {
  pixels.set(color, (y * width + x) * 4);
}

export function copyImage(image: Image): Image {
  return { ...image, pixels: Buffer.from(image.pixels) };
}

export function fillBox(image: Image, { x, y, width, height }: Region, color: number[]): void {
  for (let row = y; row < y + height; row += 1) {
    for (let column = x; column < x + width; column += 1) setPixel(image, column, row, color);
  }
}

type Random = () => number;

/** A disc with soft edges, which exercises pixelmatch's detection of anti-aliasing. */
function drawDisc(image: Image, random: Random, alpha: number): void {
  const radius = 1 + random() * 6;
  const [cx, cy] = [random() * image.width, random() * image.height];
  const color = [random() * 256, random() * 256, random() * 256];
  for (let y = Math.max(0, Math.floor(cy - radius)); y < Math.min(image.height, cy + radius); y += 1) {
    for (let x = Math.max(0, Math.floor(cx - radius)); x < Math.min(image.width, cx + radius); x += 1) {
      const cover = Math.min(1, Math.max(0, radius - Math.hypot(x - cx, y - cy)));
      const at = (y * image.width + x) * 4;
      const blended = color.map((value, c) => value * cover + (image.pixels[at + c] ?? 0) * (1 - cover));
      setPixel(image, x, y, [...blended, alpha]);
    }
  }
}

/** Two images that differ in a few places: soft shapes moved by part of a pixel, single pixels, whole rows. */
export function randomPair(seed: number, alphaOf: (random: Random) => number = () => 255): [Image, Image] {
  const random = randomNumbers(seed);
  const one = blankImage(8 + Math.floor(random() * 60), 8 + Math.floor(random() * 150));
  for (let shape = 0; shape < 30; shape += 1) drawDisc(one, random, alphaOf(random));
  const other = { ...one, pixels: Buffer.from(one.pixels) };
  for (let change = random() * 4; change > 0; change -= 1) drawDisc(other, random, alphaOf(random));
  for (let change = random() * 6; change > 0; change -= 1) {
    const [x, y] = [Math.floor(random() * one.width), Math.floor(random() * one.height)];
    setPixel(other, x, y, [random() * 256, random() * 256, random() * 256, alphaOf(random)]);
  }
  return [one, other];
}

/** Uses pngjs, which shares no code with what is tested. Unfiltered, because choosing filters is slow in Jest. */
export function toPng({ width, height, pixels }: Image): Buffer {
  const png = new PNG({ width, height });
  png.data = Buffer.from(pixels);
  return PNG.sync.write(png, { filterType: 0, deflateLevel: 1 });
}
