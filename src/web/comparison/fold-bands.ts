import type { Region } from '../../elements/region.ts';
import type { Marks } from './outline-changes.ts';

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
