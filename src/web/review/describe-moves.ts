import type { PageResult } from '../../runs/results/result.ts';
import { formatCount, formatNumber } from '../../text/format.ts';

/** `3 blocks moved down (6–54 px)`: what only moved, by its direction. */
export function describeMoves(moves: PageResult['moves']): string[] {
  const distances = (moves ?? []).map(({ baselineY, currentY }) => currentY - baselineY);
  return (['down', 'up'] as const).flatMap((way) => {
    const far = distances.filter((distance) => (way === 'down' ? distance > 0 : distance < 0)).map(Math.abs);
    if (far.length === 0) return [];
    const [least, most] = [Math.min(...far), Math.max(...far)];
    const range = least === most ? formatNumber(most) : `${formatNumber(least)}–${formatNumber(most)}`;
    return [`${formatCount(far.length, 'block')} moved ${way} (${range} px)`];
  });
}
