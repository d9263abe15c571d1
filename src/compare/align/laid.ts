import type { Piece } from '../layout.ts';
import type { Window } from '../window.ts';
import { isSameRow } from '../window.ts';
import type { Columns, Fit } from './cost.ts';
import type { Hunk, Run } from './run.ts';

/** Pieces from `y` 0 on, how high they are together, and about how many pixels differ in them. */
export type Laid = { pieces: Piece[]; height: number; cost: number };

type Rows = { y: number; height: number; baselineY: number | null; currentY: number | null };

function pieceOf({ baseline: { x, width } }: Columns, rows: Rows): Piece {
  return { x, width, ...rows, filler: false };
}

export function layRun(columns: Columns, { a, b, length }: Run): Laid {
  const piece = pieceOf(columns, { y: 0, height: length, baselineY: a, currentY: b });
  return { pieces: [piece], height: length, cost: 0 };
}

/** The shorter stretch on the top or bottom of the taller one, and the rest of that alone. */
export function layHunk(columns: Columns, { a, aEnd, b, bEnd }: Hunk, { at, cost }: Fit): Laid {
  const [rows, height] = [Math.min(aEnd - a, bEnd - b), Math.max(aEnd - a, bEnd - b)];
  const lone = height - rows;
  const [bothY, loneY] = at === 'top' ? [0, rows] : [lone, 0];
  const skipA = at === 'bottom' && aEnd - a > rows ? lone : 0;
  const skipB = at === 'bottom' && bEnd - b > rows ? lone : 0;
  const pieces = [
    pieceOf(columns, { y: bothY, height: rows, baselineY: a + skipA, currentY: b + skipB }),
    pieceOf(columns, {
      y: loneY,
      height: lone,
      baselineY: aEnd - a > rows ? a + loneY : null,
      currentY: bEnd - b > rows ? b + loneY : null,
    }),
  ];
  return { pieces: pieces.filter((piece) => piece.height > 0), height, cost };
}

/** One below the other. */
export function stack(parts: Laid[]): Laid {
  const all: Laid = { pieces: [], height: 0, cost: 0 };
  for (const { pieces, height, cost } of parts) {
    all.pieces.push(...pieces.map((piece) => ({ ...piece, y: piece.y + all.height })));
    all.height += height;
    all.cost += cost;
  }
  return all;
}

/** Side by side. */
export function sideBySide(parts: Laid[]): Laid {
  return {
    pieces: parts.flatMap((part) => part.pieces),
    height: Math.max(...parts.map((part) => part.height)),
    cost: parts.reduce((sum, part) => sum + part.cost, 0),
  };
}

/** True when the rows are all the same, and the same as the row above or below them. */
function isRepeated(window: Window, top: number, height: number): boolean {
  for (let row = top + 1; row < top + height; row += 1) {
    if (!isSameRow(window, row, window, top)) return false;
  }
  const beside = [top - 1, top + height].filter((row) => row >= 0 && row < window.image.height);
  return beside.some((row) => isSameRow(window, row, window, top));
}

export const isLone = ({ baselineY, currentY }: Piece) => baselineY === null || currentY === null;

/** True for a piece of one image alone that only stretches what is above or below it. */
export function isStretch({ baseline, current }: Columns, { baselineY, currentY, height }: Piece): boolean {
  if (baselineY === null) return currentY !== null && isRepeated(current, currentY, height);
  return currentY === null && isRepeated(baseline, baselineY, height);
}

/** By how many rows the current image is longer there. */
export const growth = ({ baselineY, height }: Piece) => (baselineY === null ? height : -height);
const area = (pieces: Piece[]) => pieces.reduce((sum, piece) => sum + piece.width * piece.height, 0);

/** Those pieces that may be filler: all of them longer, or all of them shorter. Otherwise blank rows are what changed. */
function findFiller(columns: Columns, lone: Piece[]): Piece[] {
  const filler = lone.filter((piece) => isStretch(columns, piece));
  const grows = filler.filter((piece) => growth(piece) > 0).length;
  return grows === 0 || grows === filler.length ? filler : [];
}

/** About how many pixels differ when all that may be filler is. */
export function costWithFiller(columns: Columns, { pieces, cost }: Laid): number {
  return cost - area(findFiller(columns, pieces.filter(isLone)));
}

/**
 * Where something was put into a column, or taken out, blank rows keep it and the ones beside it equally tall. Those
 * become filler, which is no difference: what made them necessary is counted.
 */
export function fillColumns(parts: { columns: Columns; laid: Laid }[]): Laid[] {
  const found = parts.map(({ columns, laid }) => {
    const lone = laid.pieces.filter(isLone);
    return { lone, filler: findFiller(columns, lone) };
  });
  // Where there is nothing but blank rows, they are what changed.
  if (found.every(({ lone, filler }) => lone.length === filler.length)) return parts.map(({ laid }) => laid);
  return parts.map(({ laid }, at) => {
    const filler = new Set(found[at]?.filler);
    const pieces = laid.pieces.map((piece) => (filler.has(piece) ? { ...piece, filler: true } : piece));
    return { ...laid, pieces, cost: laid.cost - area([...filler]) };
  });
}
