import { COLOR } from './diff-colors.ts';
import type { Drawing } from './draw-canvas.ts';
import type { Layout } from './layout.ts';

/** A part of the page that only moved, in whole rows of the canvas from `y` on. px of the baseline and of the current. */
export type Move = { x: number; width: number; baselineY: number; currentY: number; y: number; height: number };

/** The parts that are in other rows than before, in reading order. */
export function findMoves({ pieces }: Layout): Move[] {
  return pieces.flatMap(({ x, width, baselineY, currentY, y, height }) =>
    baselineY === null || currentY === null || baselineY === currentY
      ? []
      : [{ x, width, baselineY, currentY, y, height }],
  );
}

/** Width of the mark in px. It is thin, so that it hides only the margin of the page. */
const BAR = 3;

/** Five rows of three pixels each, as bits from the left. */
const GLYPHS: Record<string, number[]> = {
  '0': [7, 5, 5, 5, 7],
  '1': [2, 6, 2, 2, 7],
  '2': [7, 1, 7, 4, 7],
  '3': [7, 1, 3, 1, 7],
  '4': [5, 5, 7, 1, 1],
  '5': [7, 4, 7, 1, 7],
  '6': [7, 4, 7, 5, 7],
  '7': [7, 1, 1, 1, 1],
  '8': [7, 5, 7, 5, 7],
  '9': [7, 5, 7, 1, 7],
  '+': [0, 2, 7, 2, 0],
  '-': [0, 0, 7, 0, 0],
};
const SCALE = 2;
const ADVANCE = 4 * SCALE;

/** A differing pixel is never drawn over. */
function paint({ width, height, bytes }: Drawing, x: number, y: number): void {
  const at = y * width + x;
  if (x < width && y < height && bytes[at] !== COLOR.different) bytes[at] = COLOR.moved;
}

function drawGlyph(drawing: Drawing, rows: number[], x: number, y: number): void {
  for (let row = 0; row < rows.length * SCALE; row += 1) {
    for (let column = 0; column < 3 * SCALE; column += 1) {
      const bits = rows[Math.floor(row / SCALE)] ?? 0;
      if ((bits & (4 >> Math.floor(column / SCALE))) !== 0) paint(drawing, x + column, y + row);
    }
  }
}

/** A bar at the left edge of what moved, and by how many px at its top. */
export function drawMoves(drawing: Drawing, moves: Move[]): void {
  for (const { x, y, height, baselineY, currentY } of moves) {
    for (let row = y; row < y + height; row += 1) {
      for (let column = x; column < x + BAR; column += 1) paint(drawing, column, row);
    }
    const distance = currentY - baselineY;
    const label = `${distance > 0 ? '+' : ''}${distance}`;
    if (height < 7 * SCALE) continue;
    for (const [at, glyph] of label.split('').entries()) {
      drawGlyph(drawing, GLYPHS[glyph] ?? [], x + BAR + SCALE + at * ADVANCE, y + SCALE);
    }
  }
}
