import { CAUSE_WORDS, groupUncounted } from '../runs/results/cause-words.ts';
import type { OtherCause } from '../runs/results/cause-words.ts';
import { formatCount } from '../text/format.ts';
import type { CheckResult } from './check.ts';

const EXPLANATIONS: Record<OtherCause, string> = {
  DRIFT: 'the site itself looks like this now',
  BEHIND: 'as an earlier version of the baseline, from before this branch was brought up to date',
  FROM_PULL_REQUEST: 'the same as in a pull request that this one is based on',
  ENGINE: 'faint, and captured with another browser than the baseline',
  IGNORED: 'ignored by a reviewer',
};

/** What differs for another reason than a change, by it; nothing when there is none. */
export function formatCauses(results: CheckResult[], runUrl: string): string[] {
  const lines = groupUncounted(results).map(
    ({ cause, results: its }) =>
      `- ${formatCount(its.length, 'screenshot')} ${CAUSE_WORDS[cause]}: ${EXPLANATIONS[cause]}. [See](${runUrl}?section=uncounted&cause=${cause})`,
  );
  return lines.length === 0 ? [] : [`**Not counted**\n\n${lines.join('\n')}`];
}
