import type { Region } from '../../elements/region.ts';

/** A change on the canvas of the diff image, and its place on each screenshot. Null: it is not on that one. */
export type ChangeOnBoth = Region & { baseline?: Region | null; current?: Region | null; drift?: boolean };

/** `drift`: the suite's own site shows it, too. */
type Outline = Region & { number: number; drift: boolean };

/** The marks over a screenshot: changes, numbered from 1 in reading order, and ignored areas. */
export type Marks = Record<'baseline' | 'current', { changes: Outline[]; ignored: Region[] }>;

/** The space between a change and its outline in px. */
const MARGIN = 4;

function outline({ x, y, width, height }: Region, number: number, drift: boolean): Outline {
  const [left, top] = [Math.max(0, x - MARGIN), Math.max(0, y - MARGIN)];
  return { number, drift, x: left, y: top, width: x + width + MARGIN - left, height: y + height + MARGIN - top };
}

function outlinesOn(side: 'baseline' | 'current', changes: ChangeOnBoth[], isPlain: boolean): Outline[] {
  return changes.flatMap((change, index) => {
    // Of any two screenshots only the place on the canvas is known, which then stands for that on both.
    const place = isPlain ? (change[side] === undefined ? change : change[side]) : change;
    return place === null ? [] : [outline(place, index + 1, change.drift === true)];
  });
}

/** @param isPlain the screenshots are shown as they are, not lined up on the canvas */
export function outlineChanges(
  changes: ChangeOnBoth[],
  ignored: { baseline: Region[]; current: Region[] },
  isPlain: boolean,
): Marks {
  return {
    baseline: { changes: outlinesOn('baseline', changes, isPlain), ignored: ignored.baseline },
    current: { changes: outlinesOn('current', changes, isPlain), ignored: ignored.current },
  };
}

/** A part of the canvas over its whole width that is shown: from `top` on, at `at` of the folded canvas. All in px. */
type Band = { top: number; height: number; at: number };

/** A canvas without the bands in which nothing differs. */
export type FoldedCanvas = {
  bands: Band[];
  /** A strip that replaces a folded band: its position, the center and size of its text, and how many px it hides. */
  folds: { at: number; height: number; middle: number; size: number; hidden: number }[];
  height: number;
  /** How many px are folded altogether. */
  hidden: number;
};

/** px of the canvas that are kept above and below a change, to show where it is. */
const CONTEXT = 60;

/** Smaller bands are not folded, px. */
const LEAST = 240;

/** Each band is a separate image. If there would be more than this, the smallest gaps are not folded. */
const MOST_FOLDS = 40;

type Gap = { top: number; height: number };

function findGaps(changes: Region[], height: number): Gap[] {
  const gaps: Gap[] = [];
  let bottom = 0;
  for (const change of changes.toSorted((one, other) => one.y - other.y)) {
    gaps.push({ top: bottom, height: change.y - CONTEXT - bottom });
    bottom = Math.max(bottom, change.y + change.height + CONTEXT);
  }
  gaps.push({ top: bottom, height: height - bottom });
  return gaps
    .filter((gap) => gap.height >= LEAST)
    .toSorted((one, other) => other.height - one.height)
    .slice(0, MOST_FOLDS)
    .toSorted((one, other) => one.top - other.top);
}

/**
 * Folds the bands of a canvas in which nothing differs. Null: nothing differs, or there is no such band.
 * @param changes where the screenshots differ, in px of the canvas
 */
export function foldBands(changes: Region[], canvas: { width: number; height: number }): FoldedCanvas | null {
  const gaps = changes.length === 0 ? [] : findGaps(changes, canvas.height);
  if (gaps.length === 0) return null;
  // The text of a strip grows with the screenshots, which are scaled to the width of the window.
  const strip = Math.max(24, Math.round(canvas.width / 24));
  const folded: FoldedCanvas = { bands: [], folds: [], height: 0, hidden: 0 };
  let from = 0;
  const show = (to: number) => {
    if (to > from) folded.bands.push({ top: from, height: to - from, at: folded.height });
    folded.height += Math.max(0, to - from);
  };
  for (const { top, height } of gaps) {
    show(top);
    const at = folded.height;
    folded.folds.push({ at, height: strip, middle: at + strip / 2, size: Math.round(strip / 2), hidden: height });
    folded.height += strip;
    folded.hidden += height;
    from = top + height;
  }
  show(canvas.height);
  return folded;
}

/** The region on the folded canvas: a piece for each band that shows a part of it. */
function foldRegion<R extends Region>(region: R, bands: Band[]): R[] {
  return bands.flatMap(({ top, height, at }) => {
    const [first, last] = [Math.max(region.y, top), Math.min(region.y + region.height, top + height)];
    return last > first ? [{ ...region, y: first - top + at, height: last - first }] : [];
  });
}

export function foldMarks({ baseline, current }: Marks, { bands }: FoldedCanvas): Marks {
  const fold = <R extends Region>(regions: R[]) => regions.flatMap((region) => foldRegion(region, bands));
  return {
    baseline: { changes: fold(baseline.changes), ignored: fold(baseline.ignored) },
    current: { changes: fold(current.changes), ignored: fold(current.ignored) },
  };
}
