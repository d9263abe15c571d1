import { CAUSE_WORDS, findOnlyPullRequest, groupUncounted } from '../runs/results/cause-words.ts';
import type { OtherCause } from '../runs/results/cause-words.ts';
import { formatCount } from '../text/format.ts';
import type { CheckResult } from './check.ts';

/** `number`: the pull request that all of them refer to. */
const EXPLANATIONS: Record<OtherCause, (number: string | null) => string> = {
  DRIFT: () => 'the site itself looks like this now',
  BEHIND: (number) =>
    number === null
      ? 'as before something that this branch does not have'
      : `as before ${number}, which this branch does not have`,
  FROM_PULL_REQUEST: (number) =>
    `the same as in ${number ?? 'a pull request'}, which this one is based on: decided there`,
  ENGINE: () => 'faint, and captured with another browser than the baseline',
  IGNORED: () => 'ignored by a reviewer',
};

const nameOf = (results: CheckResult[]): string | null => {
  const number = findOnlyPullRequest(results);
  return number === null ? null : `#${number}`;
};

/** What differs for another reason than a change, by it; nothing when there is none. */
export function formatCauses(results: CheckResult[], runUrl: string): string[] {
  const lines = groupUncounted(results).map(
    ({ cause, results: its }) =>
      `- ${formatCount(its.length, 'screenshot')} ${CAUSE_WORDS[cause]}: ${EXPLANATIONS[cause](nameOf(its))}. [See](${runUrl}?section=uncounted&cause=${cause})`,
  );
  return lines.length === 0 ? [] : [`**Not counted**\n\n${lines.join('\n')}`];
}
