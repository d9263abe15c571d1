import { sliceRows, type Image } from '../../../src/png/image.ts';
import { blankImage, fillBox, randomNumbers } from '../random-images.ts';

/** A block of a page: lines of text, no two blocks alike, with white rows below. */
export type Block = Image;

type Random = () => number;

/** Words as dark dots between `from` and `to`. */
export function textBlock(random: Random, width: number, { from = 4, to = width - 4, lines = 2 } = {}): Block {
  const image = blankImage(width, lines * 12 + 8);
  for (let line = 0; line < lines; line += 1) {
    for (let x = from; x < to; x += 1) {
      for (let y = 0; y < 8; y += 1) {
        if (random() < 0.35) fillBox(image, { x, y: line * 12 + y, width: 1, height: 1 }, [40, 40, 40, 255]);
      }
    }
  }
  return image;
}

export function stackImages(images: Image[]): Image {
  const width = images[0]?.width ?? 0;
  const height = images.reduce((sum, image) => sum + image.height, 0);
  return { width, height, pixels: Buffer.concat(images.map((image) => image.pixels)) };
}

/** Images beside each other, on white as high as the highest. */
export function placeBeside(images: Image[]): Image {
  const canvas = blankImage(
    images.reduce((sum, { width }) => sum + width, 0),
    Math.max(...images.map(({ height }) => height)),
  );
  let left = 0;
  for (const image of images) {
    for (let row = 0; row < image.height; row += 1) {
      canvas.pixels.set(sliceRows(image, { from: row, to: row + 1 }), (row * canvas.width + left) * 4);
    }
    left += image.width;
  }
  return canvas;
}

/** As many blocks of text, and a source of chance to change them by. */
export function randomBlocks(seed: number, count: number, width = 80): { blocks: Block[]; random: Random } {
  const random = randomNumbers(seed);
  return { blocks: Array.from({ length: count }, () => textBlock(random, width)), random };
}
