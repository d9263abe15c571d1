import type { Pair } from './changed-bands.ts';
import { COLOR } from './diff-colors.ts';
import type { Target } from './draw-pair.ts';
import { drawExact, drawJudged, fadeRows } from './draw-pair.ts';
import type { Band, Image } from './image.ts';
import type { Layout, Piece } from './layout.ts';
import type { Box } from './region.ts';
import { openWindow } from './window.ts';

/** Two images, how they are lined up, and which boxes of the canvas are not judged. */
export type Scene = { baseline: Image; current: Image; layout: Layout; ignored: Box[] };

/** How many pixels differ outside of the ignored boxes, and inside of them. */
export type Tally = { different: number; ignored: number };

function fillRows(width: number, rows: Band, { bytes, start, stride }: Target): number {
  for (let row = rows.from; row < rows.to; row += 1) {
    const from = start + (row - rows.from) * stride;
    bytes.fill(COLOR.different, from, from + width);
  }
  return (rows.to - rows.from) * width;
}

/** Draws these rows of a piece, and counts what differs in them. */
function drawPiece({ baseline, current }: Scene, piece: Piece, rows: Band, threshold: number, target: Target): number {
  const { x, width, height, baselineY, currentY } = piece;
  const before = baselineY === null ? null : openWindow(baseline, { x, width, top: baselineY });
  const after = currentY === null ? null : openWindow(current, { x, width, top: currentY });
  if (before !== null && after !== null) {
    const pair: Pair = { one: before, other: after, height };
    return threshold === 0 ? drawExact(pair, rows, target) : drawJudged(pair, rows, target, threshold);
  }
  const lone = before ?? after;
  if (lone === null || !piece.filler) return fillRows(width, rows, target);
  fadeRows(lone, rows, target);
  return 0;
}

/** Gives differing pixels in the ignored boxes another color, and counts them. */
function hideIgnored({ layout, ignored }: Scene, strip: Band, bytes: Uint8Array): number {
  let count = 0;
  for (const { left, top, right, bottom } of ignored) {
    for (let row = Math.max(top, strip.from); row < Math.min(bottom, strip.to); row += 1) {
      const start = (row - strip.from) * layout.width;
      for (let at = start + left; at < start + right; at += 1) {
        if (bytes[at] !== COLOR.different) continue;
        bytes[at] = COLOR.ignored;
        count += 1;
      }
    }
  }
  return count;
}

/**
 * Draws some rows of the canvas: differing pixels in red, those that differ only by anti-aliasing in yellow, the rest of
 * the baseline faded.
 * @param threshold 0: every pixel whose bytes differ counts. Above 0: as pixelmatch judges.
 * @param bytes one for each pixel of the rows, each a color of the palette.
 */
export function drawStrip(scene: Scene, strip: Band, threshold: number, bytes: Uint8Array): Tally {
  const { width, pieces } = scene.layout;
  let count = 0;
  bytes.fill(COLOR.white);
  for (const piece of pieces) {
    const rows = { from: Math.max(0, strip.from - piece.y), to: Math.min(piece.height, strip.to - piece.y) };
    if (rows.from >= rows.to) continue;
    const start = (piece.y + rows.from - strip.from) * width + piece.x;
    count += drawPiece(scene, piece, rows, threshold, { bytes, start, stride: width });
  }
  const ignored = hideIgnored(scene, strip, bytes);
  return { different: count - ignored, ignored };
}
