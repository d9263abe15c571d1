import { setting } from './config-field.ts';
import { yesOrNo } from './config-kind.ts';

/** What a pull request shows besides the checks of its suites. */
export const TOLD = {
  pullRequestComment: setting(yesOrNo(), {
    section: 'gate',
    label: 'Comment on pull requests',
    help: 'One comment with a part for each suite that wants it, kept up to date: what changed, with images, counts and links. The GitHub App needs write access to pull requests.',
    default: false,
  }),
  summaryCheck: setting(yesOrNo(), {
    section: 'gate',
    label: 'One check over all suites',
    help: 'Adds a check that passes when those of all suites of the repository do. One suite that asks for it is enough.',
    default: false,
  }),
};
