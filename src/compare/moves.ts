import type { Layout } from './layout.ts';

/** A part of the page that only moved, in whole rows of the canvas from `y` on. px of the baseline and of the current. */
export type Move = { x: number; width: number; baselineY: number; currentY: number; y: number; height: number };

/** The parts that are in other rows than before, in reading order. */
export function findMoves({ pieces }: Layout): Move[] {
  return pieces.flatMap(({ x, width, baselineY, currentY, y, height }) =>
    baselineY === null || currentY === null || baselineY === currentY
      ? []
      : [{ x, width, baselineY, currentY, y, height }],
  );
}
