import type { Image } from '../../png/image.ts';
import { topIn, type Layout, type Piece } from '../layout.ts';
import { openWindow } from '../window.ts';
import type { Columns, Masked } from './columns.ts';
import { fillRounding } from './fill-rounding.ts';
import { fillWindow } from './fill-window.ts';
import { layRows } from './lay-rows.ts';

const isMoved = ({ baselineY, currentY }: Piece) => baselineY !== null && currentY !== null && baselineY !== currentY;

const follows = (one: number | null, height: number, other: number | null) =>
  one === null ? other === null : one + height === other;

/** True if one piece continues where the other one ends, on the canvas and in both images. */
function continues(one: Piece, other: Piece): boolean {
  return (
    one.x === other.x &&
    one.width === other.width &&
    one.filler === other.filler &&
    one.y + one.height === other.y &&
    follows(one.baselineY, one.height, other.baselineY) &&
    follows(one.currentY, one.height, other.currentY)
  );
}

function joinPieces(pieces: Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces.toSorted((one, other) => one.x - other.x || one.y - other.y)) {
    const last = joined.at(-1);
    if (last !== undefined && continues(last, piece)) {
      joined[joined.length - 1] = { ...last, height: last.height + piece.height };
    } else if (piece.height > 0) {
      joined.push(piece);
    }
  }
  return joined.sort((one, other) => one.y - other.y || one.x - other.x);
}

/** The columns that only the wider image has, to the right of the others. */
function besideOverlap(pieces: Piece[], baseline: Image, current: Image): Piece[] {
  const overlap = Math.min(baseline.width, current.width);
  const width = Math.max(baseline.width, current.width) - overlap;
  if (width === 0) return [];
  const side = baseline.width > current.width ? 'baseline' : 'current';
  return pieces
    .filter((piece) => piece.x + piece.width === overlap && topIn(piece, side) !== null)
    .map((piece) => ({
      ...piece,
      x: overlap,
      width,
      filler: false,
      baselineY: side === 'baseline' ? piece.baselineY : null,
      currentY: side === 'current' ? piece.currentY : null,
    }));
}

export type AlignOptions = {
  masked: Masked | null;
  /** Both images end at the bottom of the window, and the page may continue below. */
  cut: boolean;
};

/**
 * Lines up two images: rows that only moved share a place on the canvas. Null when nothing moved. Aligns rows first,
 * and columns where they move differently (docs/decisions, 22).
 */
export function alignImages(
  baseline: Image,
  current: Image,
  { masked, cut }: AlignOptions = { masked: null, cut: false },
): Layout | null {
  const part = { x: 0, width: Math.min(baseline.width, current.width), top: 0 };
  const columns: Columns = { baseline: openWindow(baseline, part), current: openWindow(current, part), masked };
  const laid = layRows(columns, { a: 0, aEnd: baseline.height, b: 0, bEnd: current.height });
  if (!laid.pieces.some((piece) => isMoved(piece) || piece.filler)) return null;
  const lined = fillWindow(columns, fillRounding(columns, joinPieces(laid.pieces)), cut);
  const pieces = [...lined, ...besideOverlap(lined, baseline, current)];
  return { width: Math.max(baseline.width, current.width), height: laid.height, pieces };
}
