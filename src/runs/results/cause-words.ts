import type { Cause } from './result.ts';

/** What results are that differ for another reason than a change: `2 drifted`. */
export const CAUSE_WORDS: Record<Exclude<Cause, 'CHANGE'>, string> = {
  DRIFT: 'drifted',
  BEHIND: 'behind',
  FROM_PULL_REQUEST: 'from another pull request',
  ENGINE: 'from another browser',
  IGNORED: 'ignored',
};
