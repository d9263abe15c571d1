import { isCounted, isLone, type Piece } from '../layout.ts';
import type { Columns } from './columns.ts';
import type { Fit } from './cost.ts';
import { growth, isBelowIgnored, isIgnoredGrowth, isStretch, isUniform, ROUNDED } from './lone.ts';
import type { Hunk, Run } from './run.ts';

/** Pieces from `y` 0 on, how high they are together, and about how many pixels differ in them. */
export type Laid = { pieces: Piece[]; height: number; cost: number };

function pieceOf(columns: Columns, rows: Pick<Piece, 'y' | 'height' | 'baselineY' | 'currentY'>): Piece {
  const { x, width } = columns.baseline;
  return { x, width, ...rows, filler: isIgnoredGrowth(columns, rows) };
}

export function layRun(columns: Columns, { a, b, length }: Run): Laid {
  const piece = pieceOf(columns, { y: 0, height: length, baselineY: a, currentY: b });
  return { pieces: [piece], height: length, cost: 0 };
}

/** The baseline's rows, and below them those of the current image. */
function layApart(columns: Columns, { a, aEnd, b, bEnd }: Hunk, cost: number): Laid {
  const [before, after] = [aEnd - a, bEnd - b];
  const pieces = [
    pieceOf(columns, { y: 0, height: before, baselineY: a, currentY: null }),
    pieceOf(columns, { y: before, height: after, baselineY: null, currentY: b }),
  ];
  return { pieces, height: before + after, cost };
}

/** The shorter stretch on the top or bottom of the taller one, and the rest of that alone. */
export function layHunk(columns: Columns, hunk: Hunk, { at, cost }: Fit): Laid {
  if (at === 'apart') return layApart(columns, hunk, cost);
  const { a, aEnd, b, bEnd } = hunk;
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

export function sideBySide(parts: Laid[]): Laid {
  return {
    pieces: parts.flatMap((part) => part.pieces),
    height: Math.max(...parts.map((part) => part.height)),
    cost: parts.reduce((sum, part) => sum + part.cost, 0),
  };
}

const area = (pieces: Piece[]) => pieces.reduce((sum, piece) => sum + piece.width * piece.height, 0);

const sumGrowth = (pieces: Piece[]) => pieces.reduce((sum, piece) => sum + growth(piece), 0);

/** The pieces that may be filler, if all are longer, or all are shorter. Otherwise the blank rows are the change. */
export function findFiller(columns: Columns, lone: Piece[]): Piece[] {
  const filler = lone.filter((piece) => isStretch(columns, piece));
  const grows = filler.filter((piece) => growth(piece) > 0).length;
  return grows === 0 || grows === filler.length ? filler : [];
}

/** About how many pixels differ if everything that may be filler is filler. */
export function costWithFiller(columns: Columns, { pieces, cost }: Laid): number {
  return cost - area(findFiller(columns, pieces.filter(isCounted)));
}

const isBlank = (columns: Columns, pieces: Piece[]) =>
  pieces.every((piece) => !piece.filler && isUniform(columns, piece));

/** True if everything drawn in the column is above the piece. */
const isAtEnd = (columns: Columns, { pieces }: Laid, end: Piece): boolean =>
  isBlank(
    columns,
    pieces.filter(({ y }) => y > end.y),
  );

/** True if everything drawn in the column is above the piece, or below it. */
function isAtEdge(columns: Columns, laid: Laid, edge: Piece): boolean {
  if (isAtEnd(columns, laid, edge)) return true;
  const above = laid.pieces.filter(({ y }) => y < edge.y);
  return isBlank(columns, above) && !isBelowIgnored(columns, edge);
}

type Part = { columns: Columns; laid: Laid };

/** Content in the middle of a window or column has equal space above and below. */
export function isOneSpace([one, other, ...more]: Piece[]): boolean {
  if (one === undefined || more.length > 0) return false;
  return other === undefined || Math.abs(one.height - other.height) <= ROUNDED;
}

/**
 * True when the blank rows that fill columns are at one of their ends, or as many at both, and no more than something
 * ignored grew by. A column that holds it is filled at its lower end: it may go on above.
 */
function followsIgnored(parts: Part[], found: { filler: Piece[] }[]): boolean {
  const ignored = parts.map(({ laid }) => Math.abs(sumGrowth(laid.pieces.filter((piece) => piece.filler))));
  return parts.every(({ columns, laid }, at) => {
    const filler = found[at]?.filler ?? [];
    const isBounded = Math.abs(sumGrowth(filler)) <= Math.max(...ignored);
    const isEven = filler.length === 0 || isOneSpace(filler);
    const isAtPlace = filler.length === 1 && laid.pieces.some((piece) => piece.filler) ? isAtEnd : isAtEdge;
    return isBounded && isEven && filler.every((piece) => isAtPlace(columns, laid, piece));
  });
}

type Found = { lone: Piece[]; filler: Piece[] };

const sumRows = (pieces: Piece[]) => pieces.reduce((sum, { height }) => sum + height, 0);

/** Blank rows are a change where they are more than all that could have caused them: those inside, or else all. */
function findExcess(parts: Part[], found: Found[]): Piece[] {
  const filler = found.flatMap((each) => each.filler);
  const causes = parts.flatMap(({ laid }) => laid.pieces.filter((piece) => isLone(piece) && !filler.includes(piece)));
  const most = Math.max(...found.map((each) => sumRows(each.filler)));
  if (most <= sumRows(causes) + ROUNDED) return [];
  const isInside = ({ columns, laid }: Part, piece: Piece) => filler.includes(piece) && !isAtEdge(columns, laid, piece);
  const inside = parts.flatMap((part) => part.laid.pieces.filter((piece) => isInside(part, piece)));
  return inside.length > 0 ? inside : filler;
}

/**
 * If something was inserted into a column, or removed from it, blank rows keep neighboring columns equally tall. They
 * become filler, which is not a difference, because their cause is counted.
 */
export function fillColumns(parts: Part[]): Laid[] {
  const found = parts.map(({ columns, laid }) => {
    const lone = laid.pieces.filter(isCounted);
    return { lone, filler: findFiller(columns, lone) };
  });
  // If there are only blank rows, they are the change, unless something ignored grew by as many.
  const areBlank = found.every(({ lone, filler }) => lone.length === filler.length);
  if (areBlank && !followsIgnored(parts, found)) return parts.map(({ laid }) => laid);
  const excess = areBlank ? [] : findExcess(parts, found);
  return parts.map(({ laid }, at) => {
    const filler = new Set(found[at]?.filler.filter((piece) => !excess.includes(piece)));
    const pieces = laid.pieces.map((piece) => (filler.has(piece) ? { ...piece, filler: true } : piece));
    return { ...laid, pieces, cost: laid.cost - area([...filler]) };
  });
}
