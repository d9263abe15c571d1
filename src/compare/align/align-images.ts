import type { Image } from '../../png/image.ts';
import { isCounted, isLone, topIn, type Layout, type Piece } from '../layout.ts';
import { openWindow } from '../window.ts';
import { narrowTo, type Columns, type Masked } from './columns.ts';
import { findFiller, isOneSpace } from './laid.ts';
import { layRows } from './lay-rows.ts';
import { growth, isIgnoredGrowth, isStretch, isUniform, ROUNDED } from './lone.ts';

/** True when nothing is drawn below the piece: all rows are the same, in both images. */
function isLast(columns: Columns, pieces: Piece[], { y }: Piece): boolean {
  return pieces.every((piece) => piece.y <= y || (!isLone(piece) && isUniform(columns, piece)));
}

/**
 * Rows at the very end that left the screenshot of a page that goes on below, or came into it. What came in has never been
 * looked at, so it counts, unless all that moved it is ignored.
 */
function findPushed(columns: Columns, pieces: Piece[], lone: Piece[]): Piece[] {
  const last = lone.at(-1);
  if (last === undefined || !isLast(columns, pieces, last)) return [];
  return growth(last) < 0 || lone.length === 1 ? [last] : [];
}

/** A page is at least as high as the window, so blank rows below it take up what it grew or shrank by. */
function findBlank(columns: Columns, pieces: Piece[], lone: Piece[], cut: boolean): Piece[] {
  const grown = columns.current.image.height - columns.baseline.image.height;
  if (grown === 0) {
    const blank = findFiller(columns, lone);
    if (isOneSpace(blank)) return blank;
    return cut ? findPushed(columns, pieces, lone) : [];
  }
  // The page became taller than the window, or fits into it now: all blank rows at the end of the shorter image.
  const last = lone.at(-1);
  if (last === undefined || Math.sign(growth(last)) === Math.sign(grown) || !isStretch(columns, last)) return [];
  return isLast(columns, pieces, last) ? [last] : [];
}

/**
 * Where the page is no higher than the window, or has a part of fixed height, blank rows compensate for what was
 * inserted or removed. They become filler, which is not a difference, because their cause is counted or ignored.
 */
function fillWindow(columns: Columns, pieces: Piece[], cut: boolean): Piece[] {
  const isWhole = ({ x, width }: Piece) => x === columns.baseline.x && width === columns.baseline.width;
  const lone = pieces.filter((piece) => isCounted(piece) && isWhole(piece));
  const filler = new Set(findBlank(columns, pieces, lone, cut));
  const isReason = (piece: Piece) =>
    isCounted(piece) ? !filler.has(piece) : piece.filler && isIgnoredGrowth(narrowTo(columns, piece), piece);
  // If there are only blank rows, they are the change.
  if (!pieces.some(isReason)) return pieces;
  return pieces.map((piece) => (filler.has(piece) ? { ...piece, filler: true } : piece));
}

/**
 * Below something that was inserted or removed, gaps between blocks are a row more here and a row less there. Such a blank
 * row is filler, as long as they add up to no more than one row. On its own it is a change.
 * @param pieces from the top.
 */
export function fillRounding(columns: Columns, pieces: Piece[]): Piece[] {
  const fractions = columns.masked?.fractions ?? false;
  const sums = new Map<number, number>();
  let isBelowChange = false;
  /** In one place, rows of one image are drawn above rows of the other, whichever of them moved the content below. */
  const isAtGrowth = ({ x, y }: Piece) =>
    fractions && pieces.some((other) => other.filler && other.x === x && other.y === y + ROUNDED);
  return pieces.map((piece) => {
    if (!isLone(piece)) return piece;
    if (piece.filler) {
      isBelowChange ||= fractions;
      return piece;
    }
    const sum = (sums.get(piece.x) ?? 0) + growth(piece);
    const isRow = piece.height === ROUNDED && Math.abs(sum) <= ROUNDED;
    if (isRow && (isBelowChange || isAtGrowth(piece)) && isStretch(columns, piece)) {
      sums.set(piece.x, sum);
      return { ...piece, filler: true };
    }
    isBelowChange = true;
    // Each change has its own fraction.
    if (piece.height > ROUNDED) sums.clear();
    return piece;
  });
}

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
