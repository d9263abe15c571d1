import type { PageResult } from '../../runs/results/result.ts';
import { formatNumber } from '../../text/format.ts';

type Controlled = Pick<PageResult, 'status' | 'cause' | 'controlState' | 'drifted' | 'diffRegions'>;

/** What the suite's own site says about a difference that counts, or is about to say. Null where it was not asked. */
export function describeControl({ status, cause, controlState, drifted, diffRegions }: Controlled): string | null {
  if (controlState === 'DUE') {
    return status === 'PENDING'
      ? 'The page differs. The site itself is captured now, to see whether it does as well.'
      : null;
  }
  if (status !== 'FAIL' || cause !== 'CHANGE' || controlState === null) return null;
  if (controlState === 'FAILED') {
    return 'The site itself could not be captured to compare, so the difference counts. The log of the run says why.';
  }
  if (!drifted) return 'The change is the preview’s own: the site itself did not change.';
  const regions = diffRegions ?? [];
  const shared = regions.filter(({ drift }) => drift === true).length;
  const what =
    shared === 0
      ? 'but not in the same way'
      : `and has ${formatNumber(shared)} of ${formatNumber(regions.length)} differences, too: their outlines are dashed`;
  return `The site itself has changed as well, ${what}.`;
}
