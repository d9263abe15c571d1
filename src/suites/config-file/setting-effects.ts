import { isDeepStrictEqual } from 'node:util';
import { isSameBase, siteBase } from '../../net/site-base.ts';
import { parseUrl } from '../../text/parse-url.ts';
import type { AutoTrack } from '../config/auto-track.ts';
import { completeMatcher, fillTemplate } from '../config/preview-matcher.ts';
import type { SuiteConfig } from '../config/suite-config.ts';

/** Whether a change of a setting loosens or tightens. Changes that are not known to be harmless loosen. */
export type Effect = 'LOOSENS' | 'TIGHTENS' | 'NEUTRAL';

/** Facts outside the configuration that decide about some settings. */
export type Repository = {
  /** Null: not known. */
  defaultBranch: string | null;
  /** The address of the suite's own site. */
  baseUrl: string;
};

type Grouped = 'settle' | 'crawlOptions';

/** Every single value of a configuration: `threshold`, `crawlOptions.timeout`. */
type SettingPath =
  Exclude<keyof SuiteConfig, Grouped> | { [G in Grouped]: `${G}.${keyof SuiteConfig[G] & string}` }[Grouped];

export type Judge = (base: SuiteConfig, head: SuiteConfig, repository: Repository) => Effect;

/** The page is captured in another way, so that something else may be seen. */
const captures: Judge = () => 'LOOSENS';

/** It only affects speed, or what people are told. */
const paces: Judge = () => 'NEUTRAL';

/** Larger values hide more. */
export const loosensUp = (before: number, after: number): Effect => (after > before ? 'LOOSENS' : 'TIGHTENS');

/** Smaller values hide more. */
const loosensDown = (before: number, after: number): Effect => loosensUp(after, before);

const excuses = (after: boolean): Effect => (after ? 'LOOSENS' : 'TIGHTENS');

/** Whether globs match everything that others match. If one of them excludes, only equal lists are sure to. */
function covers(wide: readonly string[], narrow: readonly string[]): boolean {
  if ([...wide, ...narrow].some((glob) => glob.startsWith('!'))) return isDeepStrictEqual(wide, narrow);
  return wide.includes('**') || narrow.every((glob) => wide.includes(glob));
}

/** For globs that select what is judged. */
export function judgeChosen(before: readonly string[], after: readonly string[]): Effect {
  if (!covers(after, before)) return 'LOOSENS';
  return covers(before, after) ? 'NEUTRAL' : 'TIGHTENS';
}

/** Null: all of them. */
const trackedGlobs = (tracked: AutoTrack): readonly string[] =>
  tracked === 'off' ? [] : tracked === 'all' ? ['**'] : tracked.paths;

const trackedMost = (tracked: AutoTrack): number =>
  typeof tracked === 'string' ? Number.POSITIVE_INFINITY : (tracked.limit ?? Number.POSITIVE_INFINITY);

function judgeTracked(before: AutoTrack, after: AutoTrack): Effect {
  const chosen = judgeChosen(trackedGlobs(before), trackedGlobs(after));
  if (before === 'off' || after === 'off') return chosen;
  const most = trackedMost(after) < trackedMost(before) ? 'LOOSENS' : 'TIGHTENS';
  return chosen === 'LOOSENS' || most === 'LOOSENS' ? 'LOOSENS' : 'TIGHTENS';
}

/** Least frequent first. */
const RECRAWLS: readonly SuiteConfig['recrawlInterval'][] = ['off', 'weekly', 'daily', '12h', '6h'];

/** Most thorough first. */
const HEARINGS: readonly SuiteConfig['accessibility'][] = ['all', 'changed', 'off'];

/** Most captures first. */
const REUSES: readonly SuiteConfig['reuseUnchanged'][] = ['off', 'shadow', 'on'];

const isSite = (template: string, baseUrl: string): boolean =>
  parseUrl(template) !== null && isSameBase(siteBase(template), siteBase(baseUrl));

/** Otherwise it leads to one place for all of them, whatever they change. What follows the path is not captured. */
function isOfPullRequest(template: string): boolean {
  const one = fillTemplate(template, { number: 1, branch: 'one', sha: 'a' });
  const other = fillTemplate(template, { number: 2, branch: 'other', sha: 'b' });
  return one !== null && other !== null && !isSameBase(siteBase(one), siteBase(other));
}

/**
 * The template for addresses of previews. Setting the first one only adds previews, unless it leads to the site itself,
 * or to a place that is no pull request's own.
 */
export function judgeTemplate(before: string | null, after: string | null, { baseUrl }: Repository): Effect {
  if (before === after) return 'NEUTRAL';
  const addsPreviews = before === null && after !== null && isOfPullRequest(after) && !isSite(after, baseUrl);
  return addsPreviews ? 'NEUTRAL' : 'LOOSENS';
}

const judgePreview: Judge = ({ preview: before }, { preview: after }, repository) => {
  const url = judgeTemplate(before?.url ?? null, after?.url ?? null, repository);
  const signals = (matcher: typeof before) => completeMatcher(matcher && { ...matcher, url: null });
  return signals(before) === null || isDeepStrictEqual(signals(before), signals(after)) ? url : 'LOOSENS';
};

const judgeBranches: Judge = ({ baseBranches: before }, { baseBranches: after }, { defaultBranch }) => {
  const own = defaultBranch === null ? null : [defaultBranch];
  const [was, is] = [before ?? own, after ?? own];
  return was === null || is === null ? 'LOOSENS' : judgeChosen(was, is);
};

/**
 * Whether a change of each setting loosens or tightens. `by page`: rules may override it, so the effective value for
 * each page is compared. `by viewport`: each viewport is compared.
 */
export const EFFECTS: Readonly<Record<SettingPath, Judge | 'by page' | 'by viewport'>> = {
  maxPages: ({ maxPages: before }, { maxPages: after }) => loosensDown(before, after),
  maxDepth: ({ maxDepth: before }, { maxDepth: after }) => loosensDown(before, after),
  recrawlInterval: ({ recrawlInterval: before }, { recrawlInterval: after }) =>
    loosensDown(RECRAWLS.indexOf(before), RECRAWLS.indexOf(after)),
  autoTrack: ({ autoTrack: before }, { autoTrack: after }) => judgeTracked(before, after),
  viewports: 'by viewport',
  waitStrategy: captures,
  waitTime: 'by page',
  fullPage: (_base, { fullPage }) => excuses(!fullPage),
  'settle.quiet': captures,
  'settle.network': captures,
  'settle.timeout': captures,
  clock: captures,
  seedRandom: captures,
  serviceWorkers: captures,
  colorScheme: captures,
  locale: captures,
  timezone: captures,
  reducedMotion: captures,
  // They select what is left out.
  blockHosts: ({ blockHosts: before }, { blockHosts: after }) => judgeChosen(after, before),
  rules: 'by page',
  customCss: captures,
  threshold: 'by page',
  failureThreshold: 'by page',
  // Without it, content that only moved counts as well.
  alignment: (_base, { alignment }) => excuses(alignment),
  ignoreFaint: (_base, { ignoreFaint }) => excuses(ignoreFaint),
  reuseUnchanged: ({ reuseUnchanged: before }, { reuseUnchanged: after }) =>
    loosensUp(REUSES.indexOf(before), REUSES.indexOf(after)),
  accessibility: ({ accessibility: before }, { accessibility: after }) =>
    loosensUp(HEARINGS.indexOf(before), HEARINGS.indexOf(after)),
  accessibilityGate: (_base, { accessibilityGate }) => excuses(!accessibilityGate),
  control: (_base, { control }) => excuses(control),
  behind: (_base, { behind }) => excuses(behind),
  baseBranches: judgeBranches,
  preview: judgePreview,
  pullRequestComment: paces,
  summaryCheck: paces,
  badge: paces,
  schedule: paces,
  screenshotConcurrency: paces,
  comparisonConcurrency: paces,
  // It is about runs of the past.
  keepDays: paces,
  keepRuns: paces,
  // A page that a crawl gives up is not tracked.
  'crawlOptions.timeout': ({ crawlOptions: before }, { crawlOptions: after }) =>
    loosensDown(before.timeout, after.timeout),
  'crawlOptions.userAgent': captures,
  'crawlOptions.followSitemap': (_base, { crawlOptions }) => excuses(!crawlOptions.followSitemap),
  'crawlOptions.respectRobots': (_base, { crawlOptions }) => excuses(crawlOptions.respectRobots),
};
