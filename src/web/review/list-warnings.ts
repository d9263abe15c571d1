import type { PageResult } from '../../runs/results/result.ts';
import { formatNumber } from '../../text/format.ts';
import { describeCut } from '../stability.ts';

function describeUnstable({ screenshots }: Pick<PageResult, 'screenshots'>): string {
  const times = screenshots === null ? '' : ` in ${formatNumber(screenshots)} screenshots`;
  return `Unstable: the page did not look the same each time${times}, so differences may come and go.`;
}

/**
 * What a reviewer should know before they look at the screenshots: that one is cut, unstable, of another size, or was captured
 * with warnings.
 * @param sizes such as `12 px taller`
 * @param logged what the log says
 */
export function listReviewWarnings(
  result: Pick<PageResult, 'cut' | 'stability' | 'screenshots'>,
  sizes: string | null,
  logged: string[],
): string[] {
  return [
    ...(result.cut ? [describeCut()] : []),
    ...(result.stability === 'UNSTABLE' ? [describeUnstable(result)] : []),
    ...(sizes === null ? [] : [`The screenshots differ in size: the current one is ${sizes}.`]),
    ...logged.map((message) => `Captured with a warning: ${message}`),
  ];
}
