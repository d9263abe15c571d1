import type { Cause, PageResult } from './result.ts';
import { isChanged } from './result.ts';

/** A reason other than a change. */
export type OtherCause = Exclude<Cause, 'CHANGE'>;

/** What results are that differ for another reason than a change: `2 drifted`. */
export const CAUSE_WORDS: Record<OtherCause, string> = {
  DRIFT: 'drifted',
  BEHIND: 'behind',
  FROM_PULL_REQUEST: 'from another pull request',
  ENGINE: 'from another browser',
  IGNORED: 'ignored',
};

export const OTHER_CAUSES = [
  'DRIFT',
  'BEHIND',
  'FROM_PULL_REQUEST',
  'ENGINE',
  'IGNORED',
] as const satisfies OtherCause[];

type Differing = Pick<PageResult, 'status' | 'cause'>;

export const isUncounted = (result: Differing): boolean => result.status === 'FAIL' && !isChanged(result);

/** Results that differ for another reason than a change, by it. Reasons without results are left out. */
export function groupUncounted<R extends Differing>(results: readonly R[]): { cause: OtherCause; results: R[] }[] {
  return OTHER_CAUSES.map((cause) => ({
    cause,
    results: results.filter((result) => isUncounted(result) && result.cause === cause),
  })).filter((group) => group.results.length > 0);
}

/** `2 drifted, 1 ignored`; '' when all that differs is a change. */
export function describeUncounted(results: readonly Differing[]): string {
  return groupUncounted(results)
    .map((group) => `${group.results.length} ${CAUSE_WORDS[group.cause]}`)
    .join(', ');
}
