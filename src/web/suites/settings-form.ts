import { z } from 'zod';
import type { SuiteConfigInput } from '../../suites/suite-config.ts';
import { DEFAULT_CONFIG, SuiteConfigInput as ConfigSchema } from '../../suites/suite-config.ts';
import { SuiteName } from '../../suites/suite-input.ts';
import type { Typed } from '../problem.ts';
import { typedOf } from '../problem.ts';
import { AddressField, DescriptionOrNull } from './suite-form.ts';
import { viewportsOf } from './viewport-rows.ts';

const Settings = z.object({
  name: SuiteName,
  baseUrl: AddressField,
  description: DescriptionOrNull,
  config: ConfigSchema,
});

/** Empty is null, which puts the field back to its default. */
function numberAt(typed: Typed, name: string): number | null {
  const text = (typed[name] ?? '').trim();
  return text === '' ? null : Number(text);
}

const textAt = (typed: Typed, name: string): string | null => typed[name]?.trim() || null;
const isTicked = (typed: Typed, name: string): boolean => name in typed;

function configOf(typed: Typed) {
  const number = (name: string) => numberAt(typed, `config.${name}`);
  return {
    maxPages: number('maxPages'),
    maxDepth: number('maxDepth'),
    recrawlInterval: textAt(typed, 'config.recrawlInterval'),
    viewports: viewportsOf(typed),
    waitStrategy: textAt(typed, 'config.waitStrategy'),
    waitTime: number('waitTime'),
    fullPage: isTicked(typed, 'config.fullPage'),
    // Browsers send line ends as CRLF.
    customCss: (typed['config.customCss'] ?? '').replaceAll('\r\n', '\n'),
    threshold: number('threshold'),
    failureThreshold: number('failureThreshold'),
    screenshotConcurrency: number('screenshotConcurrency'),
    comparisonConcurrency: number('comparisonConcurrency'),
    crawlOptions: {
      followSitemap: isTicked(typed, 'config.crawlOptions.followSitemap'),
      respectRobots: isTicked(typed, 'config.crawlOptions.respectRobots'),
      userAgent: textAt(typed, 'config.crawlOptions.userAgent'),
      timeout: number('crawlOptions.timeout'),
    },
  };
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** A value equal to the default is not stored, so that it follows the default. */
function withoutDefaults<T extends object>(set: T, defaults: object): T {
  const fallbacks = new Map<string, unknown>(Object.entries(defaults));
  const entries = Object.entries(set).map(([name, value]) => [name, isSame(value, fallbacks.get(name)) ? null : value]);
  return Object.fromEntries(entries);
}

function leavingDefaults({ crawlOptions, viewports, ...config }: SuiteConfigInput): SuiteConfigInput {
  const sorted = viewports?.map(({ name, width, height }) => ({ name, width, height })) ?? null;
  return {
    ...withoutDefaults({ ...config, viewports: sorted }, DEFAULT_CONFIG),
    crawlOptions: withoutDefaults(crawlOptions ?? {}, DEFAULT_CONFIG.crawlOptions),
  };
}

/** The form's flat fields as the change that the API takes; the paths of what is wrong are the names of the fields. */
export const SettingsForm = z
  .preprocess((body) => {
    const typed = typedOf(body);
    const { name = '', baseUrl = '', description } = typed;
    return { name, baseUrl, description, config: configOf(typed) };
  }, Settings)
  .transform((settings) => ({ ...settings, config: leavingDefaults(settings.config) }));
