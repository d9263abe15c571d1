import type { OtherCause } from '../../runs/results/cause-words.ts';

/** Why results do not count, as the filters say it. */
export const CAUSE_NAMES: Record<OtherCause, string> = {
  DRIFT: 'Drifted',
  BEHIND: 'Behind',
  FROM_PULL_REQUEST: 'From another pull request',
  ENGINE: 'Different browser',
  IGNORED: 'Ignored',
};
