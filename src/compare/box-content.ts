import { startOfRow, viewAsWords } from '../png/image.ts';
import type { Box } from './box.ts';
import type { Scene } from './draw-strip.ts';
import { topIn, type Piece, type Side } from './layout.ts';

function copyPiece(scene: Scene, piece: Piece, side: Side, box: Box, target: Uint32Array): void {
  const top = topIn(piece, side);
  const [left, right] = [Math.max(piece.x, box.left), Math.min(piece.x + piece.width, box.right)];
  if (top === null || left >= right) return;
  const image = scene[side];
  const words = viewAsWords(image.pixels);
  for (let y = Math.max(piece.y, box.top); y < Math.min(piece.y + piece.height, box.bottom); y += 1) {
    const start = startOfRow(image, y - piece.y + top);
    target.set(words.subarray(start + left, start + right), (y - box.top) * (box.right - box.left) + left - box.left);
  }
}

/** The pixels of an image in a box of the canvas, one word each. Pixels in a gap keep their values in `target`. */
export function copyBox(scene: Scene, side: Side, box: Box, target: Uint32Array): void {
  for (const piece of scene.layout.pieces) {
    if (piece.y < box.bottom && piece.y + piece.height > box.top) copyPiece(scene, piece, side, box, target);
  }
}

/** Rows that are read at once, so that a box as large as the canvas takes no copy of both images. */
const STRIP = 256;

/** A word for each pixel of some rows of a box, before and after. A pixel of a gap is 0. */
export type Content = { box: Box; before: Uint32Array; after: Uint32Array };

/** The pixels of both images in a box of the canvas, in parts from the top. */
export function* readBox(scene: Scene, box: Box): Generator<Content> {
  for (let top = box.top; top < box.bottom; top += STRIP) {
    const part = { ...box, top, bottom: Math.min(box.bottom, top + STRIP) };
    const size = (part.right - part.left) * (part.bottom - part.top);
    const [before, after] = [new Uint32Array(size), new Uint32Array(size)];
    copyBox(scene, 'baseline', part, before);
    copyBox(scene, 'current', part, after);
    yield { box: part, before, after };
  }
}
