import type { PageResult } from '../../runs/results/result.ts';
import { formatNumber } from '../../text/format.ts';

type Controlled = Pick<
  PageResult,
  'status' | 'cause' | 'controlState' | 'drifted' | 'diffRegions' | 'servers' | 'stability'
>;

/** What the suite's own site says about a difference that counts, or is about to say. Null where it was not asked. */
export function describeControl(result: Controlled): string | null {
  const { status, cause, controlState, drifted, diffRegions, servers, stability } = result;
  if (controlState === 'DUE') {
    return status === 'PENDING' ? 'The page differs. Capturing the site itself to check whether it changed too.' : null;
  }
  if (status !== 'FAIL' || cause !== 'CHANGE' || controlState === null) return null;
  if (controlState === 'FAILED') {
    return 'The site itself could not be captured for comparison, so the difference counts. See the run’s log for the reason.';
  }
  if (servers === 'MAYBE_ONE') return null;
  if (stability === 'UNSTABLE') {
    return 'The page does not look the same each time, so the site cannot show whether the difference is the preview’s own.';
  }
  if (!drifted) return 'Only the preview changed. The site itself did not.';
  const regions = diffRegions ?? [];
  const shared = regions.filter(({ drift }) => drift === true).length;
  const what =
    shared === 0
      ? 'but not in the same way'
      : `and shares ${formatNumber(shared)} of ${formatNumber(regions.length)} differences (dashed outlines)`;
  return `The site itself has also changed, ${what}.`;
}
