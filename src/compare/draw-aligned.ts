import { copyBox } from './box-content.ts';
import type { Scene } from './draw-strip.ts';
import { viewAsWords } from './image.ts';
import type { Layout, Side } from './layout.ts';
import { topIn } from './layout.ts';
import { encodePng } from './png-codec.ts';
import type { Box } from './region.ts';

/** Stripes where an image has nothing, px. */
const STRIPE = 6;

const asWord = (bytes: number[]) => new Uint32Array(Uint8Array.from(bytes).buffer)[0] ?? 0;
const DARK = asWord([208, 215, 222, 255]);
const LIGHT = asWord([246, 248, 250, 255]);

/** Longer than a row of the canvas. Each row of the pattern is a part of it, shifted by a pixel from the one above. */
function stripes(width: number): Uint32Array {
  const row = new Uint32Array(width + 2 * STRIPE);
  for (let x = 0; x < row.length; x += 1) row[x] = x % (2 * STRIPE) < STRIPE ? DARK : LIGHT;
  return row;
}

/** Diagonal stripes in a box. */
function hatch(words: Uint32Array, width: number, { left, top, right, bottom }: Box): void {
  const row = stripes(width);
  for (let y = top; y < bottom; y += 1) {
    const shift = y % (2 * STRIPE);
    words.set(row.subarray(shift + left, shift + right), y * width + left);
  }
}

const area = ({ pieces }: Layout) => pieces.reduce((sum, { width, height }) => sum + width * height, 0);

/** Where an image has nothing on the canvas. */
function gapsOf(layout: Layout, side: Side): Box[] {
  const { width, height, pieces } = layout;
  // What no piece covers has no box of its own, so the whole canvas is hatched before the pieces are drawn.
  if (area(layout) < width * height) return [{ left: 0, top: 0, right: width, bottom: height }];
  return pieces
    .filter((piece) => topIn(piece, side) === null)
    .map((piece) => ({ left: piece.x, top: piece.y, right: piece.x + piece.width, bottom: piece.y + piece.height }));
}

/** A PNG of one image on the canvas. Its gaps are hatched. */
export async function encodeAligned(scene: Scene, side: Side): Promise<Buffer> {
  const { width, height } = scene.layout;
  const pixels = Buffer.allocUnsafeSlow(width * height * 4);
  const words = viewAsWords(pixels);
  for (const gap of gapsOf(scene.layout, side)) hatch(words, width, gap);
  copyBox(scene, side, { left: 0, top: 0, right: width, bottom: height }, words);
  return encodePng({ width, height, pixels });
}
