import { formatNumber } from '../../text/format.ts';
import { isChanged, type Cause, type PageResult } from './result.ts';

/** A reason other than a change. */
export type OtherCause = Exclude<Cause, 'CHANGE'>;

/** Words for results that differ for another reason than a change: `2 drifted`. */
export const CAUSE_WORDS: Record<OtherCause, string> = {
  DRIFT: 'drifted',
  BEHIND: 'behind',
  FROM_PULL_REQUEST: 'from another pull request',
  ENGINE: 'from a different browser',
  IGNORED: 'ignored',
};

/** The reason of one result, and what it refers to: `from #12`, `behind: like version 7, before #812`. */
export function describeCause(
  cause: OtherCause,
  about: { causePullRequest?: number | null; causeVersion?: number | null },
): string {
  const { causePullRequest: number = null, causeVersion: version = null } = about;
  if (cause === 'FROM_PULL_REQUEST' && number !== null) return `from #${number}`;
  if (cause !== 'BEHIND' || version === null) return CAUSE_WORDS[cause];
  return `behind: like version ${version}${number === null ? '' : `, before #${number}`}`;
}

/** The pull request that all of the results refer to. Null when they refer to several, or to none. */
export function findOnlyPullRequest(results: readonly Pick<PageResult, 'causePullRequest'>[]): number | null {
  const [number = null, ...others] = new Set(results.map(({ causePullRequest }) => causePullRequest));
  return others.length === 0 ? number : null;
}

export const OTHER_CAUSES = [
  'DRIFT',
  'BEHIND',
  'FROM_PULL_REQUEST',
  'ENGINE',
  'IGNORED',
] as const satisfies OtherCause[];

type Differing = Pick<PageResult, 'status' | 'cause'>;

export const isUncounted = (result: Differing): boolean => result.status === 'FAIL' && !isChanged(result);

/** Results that differ for another reason than a change, grouped by that reason. Empty groups are left out. */
export function groupUncounted<R extends Differing>(results: readonly R[]): { cause: OtherCause; results: R[] }[] {
  return OTHER_CAUSES.map((cause) => ({
    cause,
    results: results.filter((result) => isUncounted(result) && result.cause === cause),
  })).filter((group) => group.results.length > 0);
}

/** `2 drifted, 1 ignored`; '' if every difference is a change. */
export function describeUncounted(results: readonly Differing[]): string {
  return groupUncounted(results)
    .map((group) => `${formatNumber(group.results.length)} ${CAUSE_WORDS[group.cause]}`)
    .join(', ');
}
