import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { checkSelector } from '../../elements/check-selector.ts';
import { formatNumber } from '../../text/format.ts';
import { compileGlobs } from '../../text/globs.ts';
import { encodeTyped } from '../../text/readable-path.ts';
import { decimal, wholeNumber } from './config-kind.ts';

export const RULES_MAX = 100;

const GLOBS_MAX = 200;
const GLOB_MAX_LENGTH = 500;
const GLOB_CHARACTERS_MAX = 20_000;
const SELECTORS_MAX = 50;
const SELECTOR_MAX_LENGTH = 1000;
const ACTIONS_MAX = 20;
const BOXES_MAX = 100;
const COORDINATE_MAX = 100_000;

/** What the numbers of a rule may be. `waitTime` is in ms, `failureThreshold` in percent. */
export const RULE_NUMBERS = { waitTime: [0, 60_000], threshold: [0, 1], failureThreshold: [0, 100] } as const;
/** Of a setting that a rule may have in place of the suite's own. */
export type RuleNumber = keyof typeof RULE_NUMBERS;
export const isRuleNumber = (field: string): boolean => Object.hasOwn(RULE_NUMBERS, field);

/** Globs as in `.github/pixelgate.yml`: the last one that matches decides, and `!` excludes. */
export const Globs = z
  .array(
    z
      .string('must be text')
      .trim()
      .min(1, 'must not be empty')
      .max(GLOB_MAX_LENGTH, `must have at most ${GLOB_MAX_LENGTH} characters`),
    'must be a list of globs',
  )
  .max(GLOBS_MAX, `must have at most ${GLOBS_MAX} globs`);

const Selector = z
  .string('must be a CSS selector')
  .trim()
  .min(1, 'must not be empty')
  .max(SELECTOR_MAX_LENGTH, `must have at most ${SELECTOR_MAX_LENGTH} characters`)
  .refine((selector) => checkSelector(selector) === null, {
    error: ({ input }) => (typeof input === 'string' ? checkSelector(input) : null) ?? 'must be a CSS selector',
    // An empty one has its own message.
    when: ({ issues }) => issues.length === 0,
  });

const selectors = (description: string) =>
  z
    .array(Selector, 'must be a list of CSS selectors')
    .max(SELECTORS_MAX, `must have at most ${SELECTORS_MAX} selectors`)
    .optional()
    .describe(description);

const characters = (least: number, most: number) => {
  const message = `must have ${least} to ${formatNumber(most)} characters`;
  return z.string(message).min(least, message).max(most, message);
};

const milliseconds = wholeNumber(RULE_NUMBERS.waitTime).input;
const coordinate = wholeNumber([0, COORDINATE_MAX]).input;
const length = wholeNumber([1, COORDINATE_MAX]).input;

/** In px of the screenshot. */
const IgnoredBox = z.strictObject(
  { x: coordinate, y: coordinate, width: length, height: length },
  'must be a box: x, y, width and height in px',
);
export type IgnoredBox = z.output<typeof IgnoredBox>;

/** Runs on the page before the screenshot, in order. */
const PageAction = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.enum(['click', 'hover', 'scrollTo']), selector: Selector }),
    z.strictObject({ type: z.literal('type'), selector: Selector, text: characters(0, 1000) }),
    z.strictObject({ type: z.literal('press'), key: characters(1, 50), selector: Selector.optional() }),
    z.strictObject({ type: z.literal('wait'), ms: milliseconds }),
  ],
  'must be an action: click, hover, scrollTo, type, press or wait',
);
export type PageAction = z.output<typeof PageAction>;

export const PageRule = z.strictObject({
  paths: Globs.min(1, 'must have at least one glob').describe('Globs for the paths of pages: `/blog/**`, `/`, `**`'),
  viewports: z
    .array(z.string().min(1).max(64))
    .min(1, 'must name at least one viewport')
    .max(10)
    .optional()
    .describe('Names of viewports. Default: all.'),
  hide: selectors('Elements that are not drawn but keep their place'),
  remove: selectors('Elements that are taken out of the layout'),
  mask: selectors('Elements that are covered with a plain box'),
  ignore: selectors('Elements that are drawn, but whose pixels and height do not count'),
  ignoreBoxes: z
    .array(IgnoredBox)
    .max(BOXES_MAX, `must have at most ${BOXES_MAX} boxes`)
    .optional()
    .describe('Areas of the screenshot that do not count, in px'),
  waitFor: selectors('Elements that must be there before the screenshot'),
  actions: z
    .array(PageAction)
    .max(ACTIONS_MAX, `must have at most ${ACTIONS_MAX} actions`)
    .optional()
    .describe('What to do on the page before the screenshot'),
  css: z
    .string()
    .max(64 * 1024, 'must be at most 64 KiB')
    .optional()
    .describe('More CSS for the screenshot'),
  waitTime: milliseconds.optional().describe('Milliseconds to wait once the page is ready'),
  threshold: decimal(RULE_NUMBERS.threshold).input.optional(),
  failureThreshold: decimal(RULE_NUMBERS.failureThreshold).input.optional(),
  skip: z.boolean().optional().describe('Whether the pages are left out of runs'),
});
export type PageRule = z.output<typeof PageRule>;

/** Of what a rule lists, the items that the other list does not have. */
export const without = <T>(items: readonly T[] = [], others: readonly T[] = []): T[] =>
  items.filter((item) => !others.some((other) => isDeepStrictEqual(item, other)));

/** For each page, all globs are matched with its path. */
export const PageRules = z
  .array(PageRule)
  .max(RULES_MAX, `must have at most ${RULES_MAX} rules`)
  .refine((rules) => rules.flatMap(({ paths }) => paths).join('').length <= GLOB_CHARACTERS_MAX, {
    error: `must have globs of at most ${formatNumber(GLOB_CHARACTERS_MAX)} characters together`,
  });

/** The combined effect of the rules on one page and viewport. Null where the suite's own setting applies. */
export type RulesForPage = {
  [K in Exclude<keyof PageRule, 'paths' | 'viewports' | RuleNumber>]: NonNullable<PageRule[K]>;
} & Record<RuleNumber, number | null>;

const NO_RULES: RulesForPage = {
  hide: [],
  remove: [],
  mask: [],
  ignore: [],
  waitFor: [],
  ignoreBoxes: [],
  actions: [],
  css: '',
  waitTime: null,
  threshold: null,
  failureThreshold: null,
  skip: false,
};

/** Caches the compiled form of each list of globs, because rules are applied to thousands of pages. */
const compiled = new WeakMap<readonly string[], ReturnType<typeof compilePageGlobs>>();

function compileOnce(globs: readonly string[]): ReturnType<typeof compilePageGlobs> {
  const known = compiled.get(globs) ?? compilePageGlobs(globs);
  compiled.set(globs, known);
  return known;
}

/**
 * Globs match the path with its query, or without; what excludes the path excludes it with any query. Below `/docs/`, a
 * query looks like the name of another page: only a glob that excludes no such name is about the query. A leading slash
 * is ignored on both sides.
 */
function matchesPath({ paths }: PageRule, path: string): boolean {
  const matches = compileOnce(paths);
  const whole = path.replace(/^\//, '');
  const [bare = ''] = whole.split(/[?#]/, 1);
  return matches(whole, bare) || (/^$|\/$/.test(bare) && matches(bare) && !matches(`${bare}_`));
}

const isFor = ({ viewports }: PageRule, viewport: string) => viewports === undefined || viewports.includes(viewport);

/** A page at a viewport. */
export type Place = { path: string; viewport: string };

const matchesPage = (rule: PageRule, page: Place) => isFor(rule, page.viewport) && matchesPath(rule, page.path);

function add(sum: RulesForPage, rule: PageRule): RulesForPage {
  return {
    hide: [...sum.hide, ...(rule.hide ?? [])],
    remove: [...sum.remove, ...(rule.remove ?? [])],
    mask: [...sum.mask, ...(rule.mask ?? [])],
    ignore: [...sum.ignore, ...(rule.ignore ?? [])],
    waitFor: [...sum.waitFor, ...(rule.waitFor ?? [])],
    ignoreBoxes: [...sum.ignoreBoxes, ...(rule.ignoreBoxes ?? [])],
    actions: rule.actions ?? sum.actions,
    css: rule.css === undefined ? sum.css : `${sum.css}\n${rule.css}`,
    waitTime: rule.waitTime ?? sum.waitTime,
    threshold: rule.threshold ?? sum.threshold,
    failureThreshold: rule.failureThreshold ?? sum.failureThreshold,
    skip: rule.skip ?? sum.skip,
  };
}

/** Applies the matching rules in order: selectors and CSS add up; for single values and actions, the last rule wins. */
export function rulesForPage(rules: readonly PageRule[], page: Place): RulesForPage {
  return rules.filter((rule) => matchesPage(rule, page)).reduce(add, NO_RULES);
}

/** What applies to one page at one viewport: the suite's own numbers where its rules have none. */
export type PageSettings = Omit<RulesForPage, RuleNumber> & Record<RuleNumber, number>;

/** The settings of a suite for one page at one viewport, with its rules. */
export function settingsForPage(
  config: { rules: readonly PageRule[] } & Record<RuleNumber, number>,
  page: Place,
): PageSettings {
  const rules = rulesForPage(config.rules, page);
  return {
    ...rules,
    waitTime: rules.waitTime ?? config.waitTime,
    threshold: rules.threshold ?? config.threshold,
    failureThreshold: rules.failureThreshold ?? config.failureThreshold,
  };
}

/** The viewports at which the rules exclude a page from runs. For each viewport, the last matching rule decides. */
export function findSkippedViewports(rules: readonly PageRule[], path: string, viewports: readonly string[]): string[] {
  const matching = rules.filter((rule) => rule.skip !== undefined && matchesPath(rule, path));
  return viewports.filter((viewport) => matching.findLast((rule) => isFor(rule, viewport))?.skip === true);
}

/**
 * Globs for one page and no other, as rules match them. A glob also matches everything below its path, so the second
 * one excludes that. For a path without a query, pages with other queries match as well.
 */
export function globsForPage(path: string): string[] {
  // Braces are alternatives in globs. A question mark also matches itself.
  const glob = path.replaceAll(/[{}]/g, '?');
  // Nothing is below it, and its query would look like a name there.
  if (glob === '/') return [glob];
  return [glob, `!${glob.replace(/\/$/, '')}/?*`];
}

/** `compileGlobs` for the paths of pages, which have everything outside of ASCII encoded. */
export const compilePageGlobs = (globs: readonly string[]) => compileGlobs(globs.map(encodeTyped));
