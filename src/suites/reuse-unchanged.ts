import { setting } from './config-field.ts';
import { choice } from './config-kind.ts';

/** What happens to pages that a preview serves exactly as when their baselines were captured. */
export const PROOFS = {
  reuseUnchanged: setting(
    choice([
      ['shadow', 'After ten runs in which that would have been right'],
      ['on', 'At once'],
      ['off', 'Never'],
    ]),
    {
      section: 'compare',
      label: 'Prove pages unchanged instead of capturing them',
      help: 'If a preview serves a page and everything in it exactly as when its baseline was captured, no screenshot is taken. A sample is captured nonetheless. Runs of the site itself capture every page.',
      default: 'shadow',
    },
  ),
};
