import { setting } from './config-field.ts';
import { wholeNumber } from './config-kind.ts';

/** How long the runs of a suite are kept. */
export const RETENTION = {
  keepDays: setting(wholeNumber([0, 36_500], 'days'), {
    section: 'keep',
    label: 'Keep runs for (days)',
    help: 'Older runs are removed, with all screenshots that nothing else uses. 0: as the installation says.',
    default: 0,
  }),
  keepRuns: setting(wholeNumber([0, 1_000_000], 'runs'), {
    section: 'keep',
    label: 'Keep newest runs',
    help: 'Runs beyond this many are removed in the same way. 0: as the installation says.',
    default: 0,
  }),
};
