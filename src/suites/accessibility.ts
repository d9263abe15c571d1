import { setting } from './config-field.ts';
import { choice, yesOrNo } from './config-kind.ts';

/** When the accessibility tree of a page is read, and whether a difference needs a review. */
export const ACCESSIBILITY = {
  accessibility: setting(
    choice([
      ['off', 'Off'],
      ['changed', 'Where a page is new or changed'],
      ['all', 'On every capture'],
    ]),
    {
      section: 'capture',
      label: 'Accessibility tree',
      help: 'What assistive technology would hear (role, name, state), compared exactly. On every capture, a difference is found where no pixel differs, too. Reading it takes about two thirds of the time of the screenshot itself: 0.17 s a page, measured over 100 pages of documentation on two busy cores. Where only new and changed pages are read, unchanged ones take no longer.',
      default: 'changed',
    },
  ),
  accessibilityGate: setting(yesOrNo(), {
    section: 'gate',
    label: 'Review what assistive technology would hear',
    help: 'A difference of the accessibility tree needs a review, also if no pixel differs. Without it, differences are shown as information. Only where the tree is read.',
    default: false,
  }),
};
