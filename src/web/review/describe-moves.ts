import type { PageResult } from '../../runs/results/result.ts';
import { formatCount, formatNumber } from '../../text/format.ts';

/** More distances than this are summed up. */
const MOST = 3;

/** `12 blocks moved down by 48 px`, the largest parts of the page first. */
export function describeMoves(moves: PageResult['moves']): string[] {
  const byDistance = new Map<number, { blocks: number; rows: number }>();
  for (const { baselineY, currentY, height } of moves ?? []) {
    const { blocks, rows } = byDistance.get(currentY - baselineY) ?? { blocks: 0, rows: 0 };
    byDistance.set(currentY - baselineY, { blocks: blocks + 1, rows: rows + height });
  }
  const sorted = [...byDistance].toSorted(([, one], [, other]) => other.rows - one.rows);
  const told = sorted.slice(0, MOST).map(([distance, { blocks }]) => {
    const way = distance > 0 ? 'down' : 'up';
    return `${formatCount(blocks, 'block')} moved ${way} by ${formatNumber(Math.abs(distance))} px`;
  });
  const rest = sorted.slice(MOST).reduce((sum, [, { blocks }]) => sum + blocks, 0);
  return rest === 0 ? told : [...told, `${formatCount(rest, 'block')} moved by other amounts`];
}
