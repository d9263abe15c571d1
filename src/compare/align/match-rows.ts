import { longestAscending } from '../../elements/align-sequences.ts';
import type { Band } from '../../png/image.ts';
import { hashWords } from '../hash-words.ts';
import { startInWindow, type Window } from '../window.ts';
import { trimEqual, type Hunk, type Run } from './run.ts';

/** A hash for each row, and the hashes of blank rows, which have one color. Rows count from `from`. */
export type RowKeys = { from: number; keys: Int32Array; blank: Set<number> };

/** Compares the row with itself, shifted by a pixel. */
function isBlank({ image, width }: Window, start: number): boolean {
  const [from, to] = [start * 4, (start + width) * 4];
  return image.pixels.compare(image.pixels, from, to - 4, from + 4, to) === 0;
}

export function keysOfRows(window: Window, { from, to }: Band): RowKeys {
  const keys = new Int32Array(to - from);
  const blank = new Set<number>();
  for (let row = from; row < to; row += 1) {
    const start = startInWindow(window, row);
    const key = hashWords(window.words, start, start + window.width).low;
    keys[row - from] = key;
    if (!blank.has(key) && isBlank(window, start)) blank.add(key);
  }
  return { from, keys, blank };
}

/**
 * A row that occurs more often than this does not show where it belongs, for example the line between two rows of a
 * table.
 */
const OFTEN = 20;

/** How often all rows may be searched if none is unique. Only a completely repetitive page needs more. */
const SEARCHES = 16;

/** Rows of both images as hashes, the hashes that are no anchors, and how many rows may still be searched. */
type Rows = { a: Int32Array; b: Int32Array; common: Set<number>; budget: number };

function countKeys(keys: Int32Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function commonKeys(baseline: RowKeys, current: RowKeys): Set<number> {
  const common = new Set([...baseline.blank, ...current.blank]);
  for (const { keys } of [baseline, current]) {
    for (const [key, count] of countKeys(keys)) if (count > OFTEN) common.add(key);
  }
  return common;
}

/** Where each key occurs in the rows from `from` to `to`, leaving out common ones. */
function placesOf(keys: Int32Array, from: number, to: number, common: Set<number>): Map<number, number[]> {
  const places = new Map<number, number[]>();
  for (let row = from; row < to; row += 1) {
    const key = keys[row] ?? 0;
    const known = places.get(key);
    if (known !== undefined) known.push(row);
    else if (!common.has(key)) places.set(key, [row]);
  }
  return places;
}

type Anchor = { a: number; b: number };

function lengthOfRun({ a, b }: Rows, anchor: Anchor, hunk: Hunk): number {
  const most = Math.min(hunk.aEnd - anchor.a, hunk.bEnd - anchor.b);
  let length = 0;
  while (length < most && a[anchor.a + length] === b[anchor.b + length]) length += 1;
  return length;
}

/** The longest run that starts with a row that occurs more than once, but not often. */
function longestRun(rows: Rows, hunk: Hunk, inA: Map<number, number[]>): Anchor[] {
  let best: Anchor | null = null;
  let length = 0;
  for (let b = hunk.b; b < hunk.bEnd; b += 1) {
    for (const a of inA.get(rows.b[b] ?? 0) ?? []) {
      // A longer run that starts here was found where it started.
      if (a > hunk.a && b > hunk.b && rows.a[a - 1] === rows.b[b - 1]) continue;
      const found = lengthOfRun(rows, { a, b }, hunk);
      if (found > length) [best, length] = [{ a, b }, found];
    }
  }
  return best === null ? [] : [best];
}

function findAnchors(rows: Rows, hunk: Hunk): Anchor[] {
  const inA = placesOf(rows.a, hunk.a, hunk.aEnd, rows.common);
  const inB = placesOf(rows.b, hunk.b, hunk.bEnd, rows.common);
  const unique: Anchor[] = [];
  for (const [key, [a = 0, ...more]] of inA) {
    const [b, ...others] = inB.get(key) ?? [];
    if (b !== undefined && more.length === 0 && others.length === 0) unique.push({ a, b });
  }
  if (unique.length > 0) return longestAscending(unique.map(({ b }) => b)).flatMap((at) => unique[at] ?? []);
  rows.budget -= hunk.bEnd - hunk.b;
  return rows.budget < 0 ? [] : longestRun(rows, hunk, inA);
}

/** Appends the runs of the hunk, from the top. Between two anchors it looks for others, which are unique only there. */
function matchHunk(rows: Rows, hunk: Hunk, runs: Run[]): void {
  const rest = trimEqual(hunk, (a, b) => rows.a[a] === rows.b[b]);
  if (rest.a > hunk.a) runs.push({ a: hunk.a, b: hunk.b, length: rest.a - hunk.a });
  if (rest.a < rest.aEnd && rest.b < rest.bEnd) {
    let { a, b } = rest;
    for (const anchor of findAnchors(rows, rest)) {
      if (anchor.a < a || anchor.b < b) continue;
      matchHunk(rows, { a, aEnd: anchor.a, b, bEnd: anchor.b }, runs);
      const length = lengthOfRun(rows, anchor, rest);
      runs.push({ ...anchor, length });
      [a, b] = [anchor.a + length, anchor.b + length];
    }
    if (a > rest.a || b > rest.b) matchHunk(rows, { a, aEnd: rest.aEnd, b, bEnd: rest.bEnd }, runs);
  }
  if (hunk.aEnd > rest.aEnd) runs.push({ a: rest.aEnd, b: rest.bEnd, length: hunk.aEnd - rest.aEnd });
}

function joinTouching(runs: Run[]): Run[] {
  const joined: Run[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last !== undefined && last.a + last.length === run.a && last.b + last.length === run.b) {
      joined[joined.length - 1] = { ...last, length: last.length + run.length };
    } else {
      joined.push(run);
    }
  }
  return joined;
}

/**
 * Which rows of two images are equal, by their hashes: patience diff on rows that occur once in both, then again
 * between those, extended as far as rows are equal. In order from the top.
 */
export function matchRows(baseline: RowKeys, current: RowKeys): Run[] {
  const [a, b] = [baseline.keys, current.keys];
  const rows = { a, b, common: commonKeys(baseline, current), budget: SEARCHES * b.length };
  const runs: Run[] = [];
  matchHunk(rows, { a: 0, aEnd: rows.a.length, b: 0, bEnd: rows.b.length }, runs);
  return joinTouching(runs).map(({ a, b, length }) => ({ a: a + baseline.from, b: b + current.from, length }));
}
