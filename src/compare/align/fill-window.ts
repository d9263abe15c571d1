import { isCounted, isLone, type Piece } from '../layout.ts';
import { narrowTo, type Columns } from './columns.ts';
import { findFiller, isOneSpace } from './laid.ts';
import { growth, isIgnoredGrowth, isStretch, isUniform } from './lone.ts';

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
export function fillWindow(columns: Columns, pieces: Piece[], cut: boolean): Piece[] {
  const isWhole = ({ x, width }: Piece) => x === columns.baseline.x && width === columns.baseline.width;
  const lone = pieces.filter((piece) => isCounted(piece) && isWhole(piece));
  const filler = new Set(findBlank(columns, pieces, lone, cut));
  const isReason = (piece: Piece) =>
    isCounted(piece) ? !filler.has(piece) : piece.filler && isIgnoredGrowth(narrowTo(columns, piece), piece);
  // If there are only blank rows, they are the change.
  if (!pieces.some(isReason)) return pieces;
  return pieces.map((piece) => (filler.has(piece) ? { ...piece, filler: true } : piece));
}
