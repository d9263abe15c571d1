import type { z } from 'zod';
import { MAX_SETTLE_MS } from '../capture/browser/browser.ts';
import { MAX_SCREENSHOT } from '../capture/screenshot-size.ts';
import { formatCount, formatNumber } from '../text/format.ts';
import { VERSION } from '../version.ts';
import { ACCESSIBILITY } from './accessibility.ts';
import { TRACKING } from './auto-track.ts';
import { group, list, setting } from './config-field.ts';
import { choice, decimal, optionalLines, structured, text, wholeNumber, yesOrNo } from './config-kind.ts';
import { EMULATION } from './emulation.ts';
import { RETENTION } from './keep-runs.ts';
import { Globs, PageRules, RULES_MAX } from './page-rule.ts';
import { PREVIEWS } from './preview-matcher.ts';
import { BADGE } from './public-badge.ts';
import { PROOFS } from './reuse-unchanged.ts';
import { SCHEDULE } from './run-schedule.ts';
import { TOLD } from './told-on-pull-requests.ts';
import { describeViewport, PLAIN_SCREEN, USER_AGENT, VIEWPORT, VIEWPORTS_MAX } from './viewport.ts';

/**
 * Every field of a suite's configuration. An entry determines its validation, its default, its place in the API's
 * document, and its control and texts on the settings page.
 */
export const SUITE_CONFIG = group({
  maxPages: setting(wholeNumber([1, 10_000], 'pages'), {
    section: 'crawl',
    label: 'Maximum pages',
    help: 'A crawl stops at this number of pages.',
    default: 100,
  }),
  maxDepth: setting(wholeNumber([0, 50], 'links'), {
    section: 'crawl',
    label: 'Maximum crawl depth',
    help: 'How far links are followed from the base URL.',
    default: 5,
  }),
  recrawlInterval: setting(
    choice([
      ['off', 'Off'],
      ['6h', 'Every 6 hours'],
      ['12h', 'Every 12 hours'],
      ['daily', 'Daily'],
      ['weekly', 'Weekly'],
    ]),
    {
      section: 'crawl',
      label: 'Recrawl interval',
      help: 'How often to look for added and removed pages.',
      default: 'daily',
    },
  ),
  ...TRACKING,
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
        { name: 'desktop', width: 1280, height: 800, ...PLAIN_SCREEN },
        { name: 'mobile', width: 375, height: 812, ...PLAIN_SCREEN },
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
  waitTime: setting(wholeNumber([0, 60_000], 'ms'), {
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
  ...EMULATION,
  accessibility: ACCESSIBILITY.accessibility,
  rules: setting(
    structured(PageRules, {
      editor: 'rules',
      bounds: `at most ${RULES_MAX} rules`,
      show: (rules) => (rules.length === 0 ? 'none' : formatCount(rules.length, 'rule')),
    }),
    {
      section: 'rules',
      label: 'Rules',
      help: 'Settings for certain pages. Later rules win.',
      default: [],
    },
  ),
  customCss: setting(text(64, '.ad { visibility: hidden }'), {
    section: 'capture',
    label: 'Custom CSS',
    help: 'Injected into each page just before the screenshot, for example to hide dynamic content.',
    default: '',
  }),
  threshold: setting(decimal([0, 1]), {
    section: 'compare',
    label: 'Color threshold',
    help: 'How much a color may differ before the pixel counts as different, as pixelmatch measures it. At 0, every difference counts.',
    default: 0,
  }),
  failureThreshold: setting(decimal([0, 100], '% of pixels'), {
    section: 'compare',
    label: 'Failure threshold (%)',
    help: 'Percentage of pixels that may differ before a page counts as changed.',
    default: 0,
  }),
  alignment: setting(yesOrNo(), {
    section: 'compare',
    label: 'Align moved content',
    help: 'Content that only moved, because something was inserted or removed above it, does not count as different.',
    default: true,
  }),
  ignoreFaint: setting(yesOrNo(), {
    section: 'compare',
    label: 'Ignore faint differences',
    help: 'A page passes when all its differences are too faint for most people to see.',
    default: false,
  }),
  ...PROOFS,
  control: setting(yesOrNo(), {
    section: 'compare',
    label: 'Compare previews with the site as it is now',
    help: 'If a preview differs, the page is also captured on the site itself. What differs there in the same way has drifted and doesn’t need review.',
    default: true,
  }),
  baseBranches: setting(optionalLines(Globs, { most: 200, noun: 'glob', placeholder: 'main' }, 'the default branch'), {
    section: 'gate',
    label: 'Base branches',
    help: 'Pull requests into these branches are gated, and merging them changes baselines. For other branches, the check is informational. One glob per line.',
    default: null,
  }),
  behind: setting(yesOrNo(), {
    section: 'gate',
    label: 'Recognize branches that are behind',
    help: 'If a page matches its state before a merge the branch doesn’t have, don’t count it as a change.',
    default: true,
  }),
  accessibilityGate: ACCESSIBILITY.accessibilityGate,
  ...PREVIEWS,
  ...TOLD,
  ...BADGE,
  ...SCHEDULE,
  screenshotConcurrency: setting(wholeNumber([1, 16]), {
    section: 'pace',
    label: 'Capture concurrency',
    help: 'How many pages of this suite load from its site at the same time, across all hosts.',
    default: 2,
  }),
  comparisonConcurrency: setting(wholeNumber([1, 16]), {
    section: 'pace',
    label: 'Comparison concurrency',
    help: 'How many large screenshots of this suite are compared at the same time, across all hosts. Others are compared where they were taken.',
    default: 2,
  }),
  ...RETENTION,
  crawlOptions: group({
    timeout: setting(wholeNumber([1000, 120_000], 'ms'), {
      section: 'crawl',
      label: 'Page timeout (ms)',
      help: 'How long a crawl waits for one page.',
      default: 30_000,
    }),
    userAgent: setting(USER_AGENT, {
      section: 'crawl',
      label: 'Crawl user agent',
      help: 'The user agent that crawls send.',
      default: `Pixelgate/${VERSION}`,
    }),
    followSitemap: setting(yesOrNo(), {
      section: 'crawl',
      label: 'Follow the sitemap',
      help: 'Use sitemap.xml and the sitemaps listed in robots.txt.',
      default: true,
    }),
    respectRobots: setting(yesOrNo(), {
      section: 'crawl',
      label: 'Respect robots.txt',
      help: 'Also respect nofollow and the crawl delay.',
      default: true,
    }),
  }),
});

/** The configuration that a run or a crawl uses. */
export type SuiteConfig = z.output<typeof SUITE_CONFIG.value>;

/** What a user may set. Null puts a field back to its default. */
export const SuiteConfigInput = SUITE_CONFIG.schema;
export type SuiteConfigInput = z.output<typeof SuiteConfigInput>;

export const DEFAULT_CONFIG: SuiteConfig = SUITE_CONFIG.complete({});

/** The settings that a run or a crawl uses: the user's, with defaults for the rest. */
export const effectiveConfig = (set: SuiteConfigInput): SuiteConfig => SUITE_CONFIG.complete(set);

/** Merges an update into the stored settings, field by field, also within `crawlOptions`. */
export const mergeConfig = (stored: SuiteConfigInput, update: SuiteConfigInput): SuiteConfigInput =>
  SUITE_CONFIG.merge(stored, update) ?? {};
