import type { SuiteConfig } from '../../suites/suite-config.ts';
import { DEFAULT_CONFIG, RECRAWL_INTERVALS, WAIT_STRATEGIES } from '../../suites/suite-config.ts';
import type { Suite } from '../../suites/suite.ts';
import type { Field, FieldSpec } from '../form-field.ts';
import { fieldsOf } from '../form-field.ts';
import type { Problem } from '../problem.ts';
import { boundsNote, numberAttributes } from './number-field.ts';

type NumberName = Exclude<Parameters<typeof boundsNote>[0], 'width' | 'height' | 'timeout'>;

const INTERVAL_NAMES: Record<SuiteConfig['recrawlInterval'], string> = {
  off: 'Off: only when asked',
  '6h': 'Every 6 hours',
  '12h': 'Every 12 hours',
  daily: 'Daily (default)',
  weekly: 'Weekly',
};

const WAIT_NAMES: Record<SuiteConfig['waitStrategy'], string> = {
  load: 'The load event (default)',
  domcontentloaded: 'The DOM is ready',
  networkidle: 'The network is idle',
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
  const isBucket = kind === 'MANUAL';
  const fields = fieldsOf(
    {
      'config.maxPages': numberSpec(config, 'maxPages', 'Most pages of a crawl', 'A crawl stops there.'),
      'config.maxDepth': numberSpec(config, 'maxDepth', 'Depth of a crawl', 'How far links are followed.'),
      'config.recrawlInterval': {
        label: 'Crawl again',
        type: 'select',
        value: config.recrawlInterval,
        options: RECRAWL_INTERVALS.map((value) => ({ value, label: INTERVAL_NAMES[value] })),
        note: 'To find pages that came and went.',
      },
      'config.crawlOptions.followSitemap': {
        label: 'Follow the sitemap',
        type: 'checkbox',
        checked: crawl.followSitemap,
        note: 'sitemap.xml, and those that robots.txt names. Default: yes.',
      },
      'config.crawlOptions.respectRobots': {
        label: 'Respect robots.txt',
        type: 'checkbox',
        checked: crawl.respectRobots,
        note: 'And nofollow, and the delay that it asks for. Default: yes.',
      },
      'config.crawlOptions.userAgent': {
        label: 'User agent of crawls',
        value: crawl.userAgent,
        note: `1 to 256 printable ASCII characters. Default: ${DEFAULT_CONFIG.crawlOptions.userAgent}.`,
        attributes: { maxlength: 256, autocomplete: 'off', spellcheck: 'false' },
      },
      'config.crawlOptions.timeout': {
        label: 'Time limit for a page (ms)',
        type: 'number',
        value: crawl.timeout,
        note: `Of a crawl. ${boundsNote('timeout', DEFAULT_CONFIG.crawlOptions.timeout)}`,
        attributes: numberAttributes('timeout'),
      },
      'config.waitStrategy': {
        label: 'Wait for',
        type: 'select',
        value: config.waitStrategy,
        options: WAIT_STRATEGIES.map((value) => ({ value, label: WAIT_NAMES[value] })),
        note: 'Before the picture. A page whose network never falls idle is captured anyway, with a warning in the log.',
      },
      'config.waitTime': numberSpec(config, 'waitTime', 'Wait longer (ms)', 'After that.'),
      'config.fullPage': {
        label: 'Capture the full page',
        type: 'checkbox',
        checked: config.fullPage,
        note: 'Not only what the viewport shows; up to 16,384 px. Default: yes.',
      },
      'config.customCss': {
        label: 'CSS for captures',
        type: 'textarea',
        value: config.customCss,
        note: 'Put into each page just before its picture, to hide what moves. 64 KiB at most. Default: none.',
        attributes: { rows: 4, spellcheck: 'false', placeholder: '.ad { visibility: hidden }' },
      },
      'config.threshold': numberSpec(
        config,
        'threshold',
        'Colour threshold (0 to 1)',
        'How far a colour may be off before its pixel counts.',
      ),
      'config.failureThreshold': numberSpec(
        config,
        'failureThreshold',
        'Failure threshold (%)',
        'How many pixels may differ before a page counts as changed.',
      ),
      'config.screenshotConcurrency': numberSpec(
        config,
        'screenshotConcurrency',
        'Captures',
        'For this suite, over all hosts.',
      ),
      'config.comparisonConcurrency': numberSpec(
        config,
        'comparisonConcurrency',
        'Comparisons',
        'For this suite, over all hosts.',
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
      note: isBucket
        ? 'A single page is never crawled: these say nothing of it.'
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
      note: 'When a page is ready for its picture, and what is in it.',
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
      title: 'At a time',
      note: 'How hard the site is asked, and how hard the service works.',
      fields: of('config.screenshotConcurrency', 'config.comparisonConcurrency'),
    },
  ];
}
