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
