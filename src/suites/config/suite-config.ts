import type { z } from 'zod';
import { MOST_KEPT } from '../../environment.ts';
import { formatCount } from '../../text/format.ts';
import { VERSION } from '../../version.ts';
import { TRACKING } from './auto-track.ts';
import { CAPTURE } from './capture-settings.ts';
import { group, setting } from './config-field.ts';
import { choice, decimal, optionalLines, structured, text, wholeNumber, yesOrNo } from './config-kind.ts';
import { EMULATION } from './emulation.ts';
import { Globs, PageRules, RULE_NUMBERS, RULES_MAX } from './page-rule.ts';
import { PREVIEWS } from './preview-matcher.ts';
import { BADGE } from './public-badge.ts';
import { SCHEDULE } from './run-schedule.ts';
import { USER_AGENT } from './viewport.ts';

/** How much of a suite is captured, or compared, at the same time. */
export const CONCURRENCY_MAX = 16;

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
  ...CAPTURE,
  ...EMULATION,
  accessibility: setting(
    choice([
      ['off', 'Off'],
      ['changed', 'Where a page is new or changed'],
      ['all', 'On every capture'],
    ]),
    {
      section: 'capture',
      label: 'Accessibility tree',
      help: 'Compares exactly what assistive technology would hear (role, name, state). If it is read on every capture, a difference is found even where no pixel differs. Reading it takes about two thirds as long as the screenshot itself. If only new and changed pages are read, unchanged ones take no longer.',
      default: 'changed',
    },
  ),
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
  threshold: setting(decimal(RULE_NUMBERS.threshold), {
    section: 'compare',
    label: 'Color threshold',
    help: 'How much a color may differ before the pixel counts as different, as pixelmatch measures it. At 0, every difference counts.',
    default: 0,
  }),
  failureThreshold: setting(decimal(RULE_NUMBERS.failureThreshold, '% of pixels'), {
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
  accessibilityGate: setting(yesOrNo(), {
    section: 'gate',
    label: 'Review what assistive technology would hear',
    help: 'A difference in the accessibility tree needs a review, even if no pixel differs. Otherwise, it is only shown. Applies only where the tree is read.',
    default: false,
  }),
  ...PREVIEWS,
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
  ...BADGE,
  ...SCHEDULE,
  screenshotConcurrency: setting(wholeNumber([1, CONCURRENCY_MAX]), {
    section: 'pace',
    label: 'Capture concurrency',
    help: 'How many pages of this suite load from its site at the same time, across all hosts.',
    default: 2,
  }),
  comparisonConcurrency: setting(wholeNumber([1, CONCURRENCY_MAX]), {
    section: 'pace',
    label: 'Comparison concurrency',
    help: 'How many large screenshots of this suite are compared at the same time, across all hosts. Others are compared where they were taken.',
    default: 2,
  }),
  keepDays: setting(wholeNumber([0, MOST_KEPT.days], 'days'), {
    section: 'keep',
    label: 'Keep runs for (days)',
    help: 'Older runs are removed, with all screenshots that nothing else uses. 0: as the installation says.',
    default: 0,
  }),
  keepRuns: setting(wholeNumber([0, MOST_KEPT.runs], 'runs'), {
    section: 'keep',
    label: 'Keep newest runs',
    help: 'Runs beyond this many are removed in the same way. 0: as the installation says.',
    default: 0,
  }),
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
