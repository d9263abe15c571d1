import type { SuiteConfig } from '../../suites/suite-config.ts';
import { DEFAULT_CONFIG, RECRAWL_INTERVALS, WAIT_STRATEGIES } from '../../suites/suite-config.ts';
import type { Suite } from '../../suites/suite.ts';
import type { Field, FieldSpec } from '../form-field.ts';
import { fieldsOf } from '../form-field.ts';
import type { Problem } from '../problem.ts';
import { boundsNote, numberAttributes } from './number-field.ts';

type NumberName = Exclude<Parameters<typeof boundsNote>[0], 'width' | 'height' | 'timeout'>;

const INTERVAL_NAMES: Record<SuiteConfig['recrawlInterval'], string> = {
  off: 'Off',
  '6h': 'Every 6 hours',
  '12h': 'Every 12 hours',
  daily: 'Daily (default)',
  weekly: 'Weekly',
};

const WAIT_NAMES: Record<SuiteConfig['waitStrategy'], string> = {
  load: 'Load event (default)',
  domcontentloaded: 'DOM ready',
  networkidle: 'Network idle',
};

function numberSpec(config: SuiteConfig, name: NumberName, label: string, note: string): Omit<FieldSpec, 'name'> {
  return {
    label,
    type: 'number',
    value: config[name],
    note: `${note} ${boundsNote(name, DEFAULT_CONFIG[name])}`,
    attributes: numberAttributes(name),
  };
}

/** The view has one partial for each kind of control. */
type Control = { checkbox: boolean; select: boolean; textarea: boolean };

export type FieldGroup = { id: string; title: string; note: string; fields: { field: Field; is: Control }[] };

function kindOf({ type }: Field): Control {
  return { checkbox: type === 'checkbox', select: type === 'select', textarea: type === 'textarea' };
}

/** Every field of a config but the viewports, in the groups of the page; names are the paths of the domain's issues. */
export function configFields({ config, kind }: Pick<Suite, 'config' | 'kind'>, problem: Problem | null): FieldGroup[] {
  const crawl = config.crawlOptions;
  const isSinglePage = kind === 'MANUAL';
  const fields = fieldsOf(
    {
      'config.maxPages': numberSpec(config, 'maxPages', 'Maximum pages per crawl', 'A crawl stops at this number.'),
      'config.maxDepth': numberSpec(config, 'maxDepth', 'Maximum crawl depth', 'How far links are followed.'),
      'config.recrawlInterval': {
        label: 'Recrawl interval',
        type: 'select',
        value: config.recrawlInterval,
        options: RECRAWL_INTERVALS.map((value) => ({ value, label: INTERVAL_NAMES[value] })),
        note: 'How often to look for added and removed pages.',
      },
      'config.crawlOptions.followSitemap': {
        label: 'Follow the sitemap',
        type: 'checkbox',
        checked: crawl.followSitemap,
        note: 'Use sitemap.xml and the sitemaps listed in robots.txt. Default: yes.',
      },
      'config.crawlOptions.respectRobots': {
        label: 'Respect robots.txt',
        type: 'checkbox',
        checked: crawl.respectRobots,
        note: 'Also respect nofollow and the crawl delay. Default: yes.',
      },
      'config.crawlOptions.userAgent': {
        label: 'Crawl user agent',
        value: crawl.userAgent,
        note: `1 to 256 printable ASCII characters. Default: ${DEFAULT_CONFIG.crawlOptions.userAgent}.`,
        attributes: { maxlength: 256, autocomplete: 'off', spellcheck: 'false' },
      },
      'config.crawlOptions.timeout': {
        label: 'Page timeout (ms)',
        type: 'number',
        value: crawl.timeout,
        note: `For crawls only. ${boundsNote('timeout', DEFAULT_CONFIG.crawlOptions.timeout)}`,
        attributes: numberAttributes('timeout'),
      },
      'config.waitStrategy': {
        label: 'Wait for',
        type: 'select',
        value: config.waitStrategy,
        options: WAIT_STRATEGIES.map((value) => ({ value, label: WAIT_NAMES[value] })),
        note: 'When to take the screenshot. A page whose network never becomes idle is captured anyway, with a warning in the log.',
      },
      'config.waitTime': numberSpec(config, 'waitTime', 'Extra wait (ms)', 'Added after that.'),
      'config.fullPage': {
        label: 'Capture the full page',
        type: 'checkbox',
        checked: config.fullPage,
        note: 'Not only the part in the viewport, up to 16,384 px high. Default: yes.',
      },
      'config.customCss': {
        label: 'Custom CSS',
        type: 'textarea',
        value: config.customCss,
        note: 'Injected into each page just before the screenshot, for example to hide dynamic content. At most 64 KiB. Default: none.',
        attributes: { rows: 4, spellcheck: 'false', placeholder: '.ad { visibility: hidden }' },
      },
      'config.threshold': numberSpec(
        config,
        'threshold',
        'Color threshold (0 to 1)',
        'How much a color may differ before the pixel counts as different.',
      ),
      'config.failureThreshold': numberSpec(
        config,
        'failureThreshold',
        'Failure threshold (%)',
        'Percentage of pixels that may differ before a page counts as changed.',
      ),
      'config.screenshotConcurrency': numberSpec(
        config,
        'screenshotConcurrency',
        'Concurrent captures',
        'For this suite, across all hosts.',
      ),
      'config.comparisonConcurrency': numberSpec(
        config,
        'comparisonConcurrency',
        'Concurrent comparisons',
        'For this suite, across all hosts.',
      ),
    },
    problem,
  );
  const of = (...names: (keyof typeof fields)[]) =>
    names.map((name) => ({ field: fields[name], is: kindOf(fields[name]) }));
  return [
    {
      id: 'crawl',
      title: 'Crawl',
      note: isSinglePage
        ? 'Single pages are never crawled, so these settings have no effect.'
        : 'How the pages of the site are found.',
      fields: of(
        'config.maxPages',
        'config.maxDepth',
        'config.recrawlInterval',
        'config.crawlOptions.timeout',
        'config.crawlOptions.userAgent',
        'config.crawlOptions.followSitemap',
        'config.crawlOptions.respectRobots',
      ),
    },
    {
      id: 'capture',
      title: 'Capture',
      note: 'When to take a screenshot, and what it shows.',
      fields: of('config.waitStrategy', 'config.waitTime', 'config.fullPage', 'config.customCss'),
    },
    {
      id: 'compare',
      title: 'Comparison',
      note: 'When a page counts as changed.',
      fields: of('config.threshold', 'config.failureThreshold'),
    },
    {
      id: 'pace',
      title: 'Concurrency',
      note: 'How much load runs put on the site and on Pixelgate.',
      fields: of('config.screenshotConcurrency', 'config.comparisonConcurrency'),
    },
  ];
}
