import { isSameRow, startInWindow, type Window } from '../window.ts';
import type { Columns } from './columns.ts';
import type { Hunk } from './run.ts';

/** Gutters between columns of a page are wider than spaces between words, px. */
const NARROWEST = 12;

/** More columns than this mean a table, whose rows stay together. */
const MOST = 7;

/** A stretch of `x` in which no pixel differs from the one above it: `from` up to, but not including, `to`. */
export type Gutter = { from: number; to: number };

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
