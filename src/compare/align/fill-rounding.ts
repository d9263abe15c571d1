import { isLone, type Piece } from '../layout.ts';
import type { Columns } from './columns.ts';
import { growth, isStretch, ROUNDED } from './lone.ts';

/**
 * Below something that was inserted or removed, gaps between blocks are a row more here and a row less there. Such a blank
 * row is filler, as long as they add up to no more than one row. On its own it is a change.
 * @param pieces from the top.
 */
export function fillRounding(columns: Columns, pieces: Piece[]): Piece[] {
  const sums = new Map<number, number>();
  let isBelowChange = false;
  return pieces.map((piece) => {
    if (!isLone(piece)) return piece;
    if (piece.filler) {
      isBelowChange ||= columns.masked?.fractions ?? false;
      return piece;
    }
    const sum = (sums.get(piece.x) ?? 0) + growth(piece);
    if (isBelowChange && piece.height === ROUNDED && Math.abs(sum) <= ROUNDED && isStretch(columns, piece)) {
      sums.set(piece.x, sum);
      return { ...piece, filler: true };
    }
    isBelowChange = true;
    // Each change has its own fraction.
    if (piece.height > ROUNDED) sums.clear();
    return piece;
  });
}
