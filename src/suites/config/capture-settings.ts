import { MAX_SETTLE_MS } from '../../capture/browser/capture-request.ts';
import { MAX_SCREENSHOT } from '../../capture/screenshot-size.ts';
import { formatNumber } from '../../text/format.ts';
import { group, list, setting } from './config-field.ts';
import { choice, wholeNumber, yesOrNo } from './config-kind.ts';
import { RULE_NUMBERS } from './page-rule.ts';
import { describeViewport, VIEWPORT, VIEWPORTS_MAX } from './viewport.ts';

/** At which sizes a page is captured, and when it is ready for that. */
export const CAPTURE = {
  viewports: setting(
    list(VIEWPORT, {
      range: [1, VIEWPORTS_MAX],
      noun: 'viewport',
      key: 'name',
      show: describeViewport,
      editor: 'viewports',
    }),
    {
      section: 'viewports',
      label: 'Viewports',
      help: 'Each page is captured at every viewport. Sizes are in CSS pixels. A new name starts a new baseline.',
      default: [
        VIEWPORT.complete({ name: 'desktop', width: 1280, height: 800 }),
        VIEWPORT.complete({ name: 'mobile', width: 375, height: 812 }),
      ],
    },
  ),
  waitStrategy: setting(
    choice([
      ['load', 'Load event'],
      ['domcontentloaded', 'DOM ready'],
      ['networkidle', 'Network idle'],
    ]),
    {
      section: 'capture',
      label: 'Wait for',
      help: 'When to take the screenshot. A page whose network never becomes idle is captured anyway, with a warning in the log.',
      default: 'load',
    },
  ),
  waitTime: setting(wholeNumber(RULE_NUMBERS.waitTime, 'ms'), {
    section: 'capture',
    label: 'Extra wait (ms)',
    help: 'How long to wait before the screenshot once the page is ready.',
    default: 0,
  }),
  fullPage: setting(yesOrNo(), {
    section: 'capture',
    label: 'Capture the full page',
    help: `Not only the part in the viewport, up to ${formatNumber(MAX_SCREENSHOT.height)} px high.`,
    default: true,
  }),
  settle: group({
    quiet: setting(wholeNumber([0, 10_000], 'ms'), {
      section: 'capture',
      label: 'DOM idle time (ms)',
      help: 'How long the document must stay unchanged before a new or different screenshot counts.',
      default: 1000,
    }),
    network: setting(wholeNumber([0, 10_000], 'ms'), {
      section: 'capture',
      label: 'Network idle time (ms)',
      help: 'How long there must be no pending requests before such a screenshot counts.',
      default: 600,
    }),
    timeout: setting(wholeNumber([0, MAX_SETTLE_MS], 'ms'), {
      section: 'capture',
      label: 'Maximum wait (ms)',
      help: 'How long to wait after load for a page to become stable. Timers that are due later are not waited for. A page that is not stable by then is captured as it is, with a warning.',
      default: 5000,
    }),
  }),
  serviceWorkers: setting(
    choice([
      ['block', 'Block'],
      ['allow', 'Allow'],
    ]),
    {
      section: 'capture',
      label: 'Service workers',
      help: 'Whether pages may register service workers. Each capture starts with none. A page that waits for a blocked one is captured unfinished.',
      default: 'block',
    },
  ),
};
