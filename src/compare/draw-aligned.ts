import { encodePng } from '../png/codec.ts';
import { encodeStrips } from '../png/strips.ts';
import { copyBox } from './box-content.ts';
import { toBox, type Box } from './box.ts';
import { LARGEST_WHOLE } from './decode-pair.ts';
import { asWord } from './diff-colors.ts';
import type { Scene } from './draw-strip.ts';
import { topIn, type Layout, type Side } from './layout.ts';

/** Stripes where an image has nothing, px. */
const STRIPE = 6;

const DARK = asWord([208, 215, 222, 255]);
const LIGHT = asWord([246, 248, 250, 255]);

/** A row with the pattern. Each row of the hatching is a part of it, shifted by a pixel from the one above. */
function patternOf(width: number): Uint32Array {
  return Uint32Array.from({ length: width + 2 * STRIPE }, (_, x) => (x % (2 * STRIPE) < STRIPE ? DARK : LIGHT));
}

const area = ({ pieces }: Layout) => pieces.reduce((sum, { width, height }) => sum + width * height, 0);

/** Where an image has nothing on the canvas. */
function gapsOf(layout: Layout, side: Side): Box[] {
  const { width, height, pieces } = layout;
  // The whole canvas is hatched before the pieces are drawn, because uncovered areas have no box of their own.
  if (area(layout) < width * height) return [{ left: 0, top: 0, right: width, bottom: height }];
  return pieces.filter((piece) => topIn(piece, side) === null).map(toBox);
}

/** Draws rows of the canvas: hatches the gaps in them, and copies the rest. */
function drawRows(scene: Scene, side: Side, gaps: Box[], rows: Box, words: Uint32Array): void {
  const pattern = patternOf(rows.right);
  for (const { left, top, right, bottom } of gaps) {
    for (let y = Math.max(top, rows.top); y < Math.min(bottom, rows.bottom); y += 1) {
      const shift = y % (2 * STRIPE);
      words.set(pattern.subarray(shift + left, shift + right), (y - rows.top) * rows.right + left);
    }
  }
  copyBox(scene, side, rows, words);
}

/** Rows of a larger canvas that are drawn and encoded at once. */
const STRIP = 128;

/** A PNG of one image on the canvas. Its gaps are hatched. */
export async function encodeAligned(scene: Scene, side: Side): Promise<Buffer> {
  const { width, height } = scene.layout;
  const gaps = gapsOf(scene.layout, side);
  const readRows = (top: number, bottom: number) => {
    const pixels = Buffer.allocUnsafeSlow(width * (bottom - top) * 4);
    drawRows(scene, side, gaps, { left: 0, top, right: width, bottom }, new Uint32Array(pixels.buffer));
    return pixels;
  };
  if (width * height <= LARGEST_WHOLE) return encodePng({ width, height, pixels: readRows(0, height) });
  return encodeStrips({ width, height }, STRIP, readRows);
}
