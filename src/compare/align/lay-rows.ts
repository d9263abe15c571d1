import { isSameRow, startInWindow, type Window } from '../window.ts';
import { narrowTo, type Columns } from './columns.ts';
import { fitHunk } from './cost.ts';
import { dropRuns } from './drop-runs.ts';
import { costWithFiller, fillColumns, layHunk, layRun, sideBySide, stack, type Laid } from './laid.ts';
import { keysOfRows, matchRows } from './match-rows.ts';
import { hunksBetween, slideGaps, trimEqual, type Hunk, type Run } from './run.ts';

/** Gutters between columns of a page are wider than spaces between words, px. */
const NARROWEST = 12;

/** More columns than this mean a table, whose rows stay together. */
const MOST = 7;

/** A stretch of `x` in which no pixel differs from the one above it: `from` up to, but not including, `to`. */
type Gutter = { from: number; to: number };

/** Marks where a row differs from the one above it. */
function markRow(window: Window, row: number, broken: Uint8Array): void {
  if (isSameRow(window, row, window, row - 1)) return;
  const [start, above] = [startInWindow(window, row), startInWindow(window, row - 1)];
  for (let x = 0; x < window.width; x += 1) {
    if (window.words[start + x] !== window.words[above + x]) broken[x] = 1;
  }
}

/** Marks, for each `x`, whether the image changes there anywhere between the first and the last of these rows. */
function markRows(window: Window, from: number, to: number, broken: Uint8Array): void {
  for (let row = from + 1; row < to; row += 1) markRow(window, row, broken);
}

export function markHunk({ baseline, current }: Columns, { a, aEnd, b, bEnd }: Hunk, broken: Uint8Array): void {
  markRows(baseline, a, aEnd, broken);
  markRows(current, b, bEnd, broken);
}

/** The gutters between marked columns, the widest first. The margins on the left and right are not gutters. */
export function guttersIn(broken: Uint8Array): Gutter[] {
  const gutters: Gutter[] = [];
  let last = broken.indexOf(1);
  while (last !== -1) {
    const next = broken.indexOf(1, last + 1);
    if (next - last > NARROWEST) gutters.push({ from: last + 1, to: next });
    last = next;
  }
  return gutters.sort((one, other) => other.to - other.from - (one.to - one.from)).slice(0, MOST - 1);
}

/** The columns that the gutters divide `width` into, from the left, each with its share of the gutters. */
export function columnsBetween(gutters: Gutter[], width: number): Gutter[] {
  const cuts = gutters.map(({ from, to }) => (from + to) >> 1).sort((one, other) => one - other);
  return [0, ...cuts].map((from, at) => ({ from, to: cuts[at] ?? width }));
}

/** Maximum depth of nested columns: a page's main column may contain cards side by side. */
const DEPTH = 2;

/** Lining up by column must pay: it cuts the picture into more pieces. */
const WORTH = 0.9;

/** A zone is not extended any more after this many rows were read for all zones, in heights of the image. */
const READ = 3;

/** How many zones are tried. Most pages have one. */
const TRIES = 4;

/** Columns that move differently share at most this many consecutive rows. */
const TOGETHER = 1000;

type Search = { columns: Columns; depth: number; rowsLeft: number; triesLeft: number };

/** Rows of both images that may be columns moving differently: the hunks `from` up to `to`, and the rows in between. */
type Zone = { from: number; to: number; whole: Hunk; gutters: Gutter[] };

/** The largest zone that starts with this hunk and has a gutter from its top to its bottom. */
function growZone(search: Search, hunks: Hunk[], from: number): Zone | null {
  const broken = new Uint8Array(search.columns.baseline.width);
  let zone: Zone | null = null;
  const first = hunks[from];
  let last = first;
  for (let at = from; at < hunks.length && search.rowsLeft > 0; at += 1) {
    const hunk = hunks[at];
    if (first === undefined || last === undefined || hunk === undefined) break;
    if (hunk.a - last.aEnd > TOGETHER) break;
    // Starts with the last row that was read before, so that the step between the two is noticed.
    const [a, b] = [Math.max(first.a, last.aEnd - 1), Math.max(first.b, last.bEnd - 1)];
    const read = at === from ? hunk : { ...hunk, a, b };
    markHunk(search.columns, read, broken);
    search.rowsLeft -= read.aEnd - read.a + read.bEnd - read.b;
    last = hunk;
    const gutters = guttersIn(broken);
    if (gutters.length === 0 && zone !== null) break;
    const whole = { ...hunk, a: first.a, b: first.b };
    if (gutters.length > 0) zone = { from, to: at + 1, whole, gutters };
  }
  // Rows that only one image has are new in every column.
  return zone !== null && zone.whole.a < zone.whole.aEnd && zone.whole.b < zone.whole.bEnd ? zone : null;
}

type Part = { span: Gutter; columns: Columns; laid: Laid; cost: number };

function layPart(search: Search, span: Gutter, whole: Hunk): Part {
  const columns = narrowTo(search.columns, { x: search.columns.baseline.x + span.from, width: span.to - span.from });
  const laid = layRows(columns, whole, search.depth + 1);
  return { span, columns, laid, cost: costWithFiller(columns, laid) };
}

/** How many rows the pieces of a column moved. */
const distances = ({ laid }: Part) =>
  new Set(laid.pieces.map(({ baselineY, currentY }) => (baselineY === null ? 0 : (currentY ?? baselineY) - baselineY)));

/** True when all that moved in one column moved by as much in the other one. */
function movedAlike(one: Part, other: Part): boolean {
  const [few, many] = [distances(one), distances(other)].sort((a, b) => a.size - b.size);
  return few !== undefined && many !== undefined && [...few].every((distance) => distance === 0 || many.has(distance));
}

/** Joins neighbors that moved alike if they have no more differing pixels together than apart. */
function joinParts(search: Search, parts: Part[], whole: Hunk): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const both =
      last && movedAlike(last, part) ? layPart(search, { from: last.span.from, to: part.span.to }, whole) : undefined;
    if (last !== undefined && both !== undefined && both.cost <= last.cost + part.cost) {
      joined[joined.length - 1] = both;
    } else {
      joined.push(part);
    }
  }
  return joined;
}

/** The zone by columns, each lined up for itself. Null where that leaves as many differing pixels as `rowsCost`. */
function layZone(search: Search, { whole, gutters }: Zone, rowsCost: number): Laid | null {
  const spans = columnsBetween(gutters, search.columns.baseline.width);
  const parts = spans.map((span) => layPart(search, span, whole));
  const least = parts.reduce((sum, { cost }) => sum + cost, 0);
  if (least >= rowsCost * WORTH) return null;
  const laid = sideBySide(fillColumns(joinParts(search, parts, whole)));
  return laid.cost < rowsCost * WORTH ? laid : null;
}

/** A stretch of both images with the way it is laid out. */
type Stretch = { whole: Hunk; laid: Laid };

function layHunks(search: Search, hunks: Hunk[]): Stretch[] {
  const plain = hunks.map((hunk) => layHunk(search.columns, hunk, fitHunk(search.columns, hunk)));
  const stretches: Stretch[] = [];
  let at = 0;
  while (at < hunks.length) {
    const zone = search.depth < DEPTH && search.triesLeft > 0 ? growZone(search, hunks, at) : null;
    const rows = stack(plain.slice(at, zone?.to));
    const laid = zone && layZone(search, zone, rows.cost);
    if (zone !== null) search.triesLeft -= 1;
    if (zone !== null && laid !== null) {
      stretches.push({ whole: zone.whole, laid });
      at = zone.to;
    } else {
      const [whole, one] = [hunks[at], plain[at]];
      if (whole !== undefined && one !== undefined) stretches.push({ whole, laid: one });
      at += 1;
    }
  }
  return stretches;
}

/** The runs that are not inside of a stretch. */
function runsAround(runs: Run[], stretches: Stretch[]): Run[] {
  return runs.filter(
    ({ a, b }) => !stretches.some(({ whole }) => a >= whole.a && b >= whole.b && a < whole.aEnd && b < whole.bEnd),
  );
}

/** Lines up these rows of both images, in these columns. */
export function layRows(columns: Columns, whole: Hunk, depth = 0): Laid {
  const isEqual = (a: number, b: number) => isSameRow(columns.baseline, a, columns.current, b);
  const rest = trimEqual(whole, isEqual);
  const [above, below] = [rest.a - whole.a, whole.aEnd - rest.aEnd];
  const runs = matchRows(
    keysOfRows(columns.baseline, { from: rest.a, to: rest.aEnd }),
    keysOfRows(columns.current, { from: rest.b, to: rest.bEnd }),
  );
  const ends = { a: rest.aEnd, b: rest.bEnd, length: below };
  const slid = slideGaps([...dropRuns(columns, rest, runs), ends], isEqual);
  const [kept, last = ends] = [slid.slice(0, -1), slid.at(-1)];
  const middle = { ...rest, aEnd: last.a, bEnd: last.b };
  const rowsLeft = READ * (rest.aEnd - rest.a + rest.bEnd - rest.b);
  const search = { columns, depth, rowsLeft, triesLeft: TRIES };
  const stretches = layHunks(search, hunksBetween(kept, middle));
  const parts = [
    { a: whole.a, b: whole.b, laid: layRun(columns, { a: whole.a, b: whole.b, length: above }) },
    ...runsAround(kept, stretches).map((run) => ({ ...run, laid: layRun(columns, run) })),
    ...stretches.map(({ whole: { a, b }, laid }) => ({ a, b, laid })),
    { ...last, laid: layRun(columns, last) },
  ];
  return stack(parts.sort((one, other) => one.a - other.a || one.b - other.b).map(({ laid }) => laid));
}
