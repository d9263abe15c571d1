import type { StabilityShare } from '../runs/page-results/result-of-page.ts';
import type { PageResult } from '../runs/results/result.ts';
import { formatCount, formatNumber } from '../text/format.ts';

/** How stable the page was, for people. Null if there is nothing to report. */
export function describeStability({ stability, screenshots }: Pick<PageResult, 'stability' | 'screenshots'>) {
  switch (stability) {
    case 'UNSTABLE':
      return 'unstable';
    case 'SETTLED':
      return screenshots === null ? 'stable late' : `stable after ${formatCount(screenshots, 'screenshot')}`;
    case 'AT_ONCE':
    case null:
      return null;
  }
}

/** Such as `unstable in 3 of 20 at mobile`. */
export const describeShare = ({ viewport, unstable, results }: StabilityShare): string =>
  `unstable in ${formatNumber(unstable)} of ${formatNumber(results)} at ${viewport}`;

/** Notes about a screenshot in a list, in a few words each. */
export function noteScreenshot(result: Pick<PageResult, 'stability' | 'screenshots' | 'cut'>): string[] {
  return [describeStability(result), result.cut ? 'cut off' : null].flatMap((note) => note ?? []);
}

export const CUT = 'The screenshot does not show the whole page. The rest is not compared.';
