import { isDeepStrictEqual } from 'node:util';
import { inTurns } from '../../async/batches.ts';
import { sha256Of } from '../../text/sha256.ts';
import {
  findSkippedViewports,
  isRuleNumber,
  PageRules,
  settingsForPage,
  without,
  type PageRule,
  type PageSettings,
  type Place,
} from '../config/page-rule.ts';
import type { SuiteConfig } from '../config/suite-config.ts';
import { describeViewport, viewportNames } from '../config/viewport.ts';
import { differingSettings, valueAt } from './config-file.ts';
import { EFFECTS, loosensUp, type Effect, type Judge, type Repository } from './setting-effects.ts';
import type { FoundDifference } from './settings-difference.ts';

/** The settings that decide about a page, which rules may override. */
type PageField = Exclude<keyof PageRule, 'paths' | 'viewports'>;

/** One difference between two configurations for a page. For a list, one item that is added or removed. */
type PageChange = { field: PageField; before: unknown; after: unknown; effect: Effect };

type Judged<T> = (before: T, after: T) => Omit<PageChange, 'field'>[];

/** Each item hides something. */
const hides: Judged<readonly unknown[] | undefined> = (before, after) => [
  ...without(after, before).map((item) => ({ before: null, after: item, effect: 'LOOSENS' as const })),
  ...without(before, after).map((item) => ({ before: item, after: null, effect: 'TIGHTENS' as const })),
];

/** Any other value captures the page in another way, so that something else may be seen. */
const captures: Judged<unknown> = (before, after) =>
  isDeepStrictEqual(before, after) ? [] : [{ before, after, effect: 'LOOSENS' }];

/** The higher it is, the less counts. */
const limits: Judged<number> = (before, after) =>
  before === after ? [] : [{ before, after, effect: loosensUp(before, after) }];

const skips: Judged<boolean> = (before, after) =>
  before === after ? [] : [{ before, after, effect: after ? 'LOOSENS' : 'TIGHTENS' }];

/** Whether a change of each part of a rule loosens or tightens. */
const FIELDS: { readonly [F in PageField]: Judged<PageSettings[F]> } = {
  failureThreshold: limits,
  threshold: limits,
  ignore: hides,
  ignoreBoxes: hides,
  mask: hides,
  hide: hides,
  remove: hides,
  waitFor: captures,
  actions: captures,
  css: captures,
  waitTime: captures,
  skip: skips,
};

const isField = (name: string): name is PageField => Object.hasOwn(FIELDS, name);
const ALL = Object.keys(FIELDS).filter(isField);

const compareField = <F extends PageField>(field: F, before: PageSettings[F], after: PageSettings[F]): PageChange[] =>
  FIELDS[field](before, after).map((change) => ({ field, ...change }));

/** The differences of another configuration for one page at one viewport. None if both skip it. Pure. */
function comparePage(base: PageSettings, head: PageSettings): PageChange[] {
  if (base.skip && head.skip) return [];
  // If only one of them captures the page, nothing else can be compared.
  const fields: PageField[] = base.skip === head.skip ? ALL : ['skip'];
  return fields.flatMap((field) => compareField(field, base[field], head[field]));
}

/** Globs can be expensive: pages beyond this time count as not compared. */
const COMPARING_MS = 5000;

type Difference = Omit<FoundDifference, 'applies'>;

export type Compared = {
  base: SuiteConfig;
  head: SuiteConfig;
  /** Tracked pages. */
  paths: readonly string[];
  repository: Repository;
};

/** Names of a rule's settings begin with `rules`, to distinguish them from settings that apply without a rule. */
const nameField = (field: string) => (isRuleNumber(field) ? field : `rules.${field}`);

/** Collects the pages of each change, in the order of their first occurrence. */
function collector() {
  const found = new Map<string, Difference & { places: Place[] }>();
  return {
    add({ field, before, after, effect }: PageChange, place: Place) {
      const key = JSON.stringify([field, before, after]);
      const known = found.get(key);
      if (known === undefined) found.set(key, { field: nameField(field), before, after, effect, places: [place] });
      else known.places.push(place);
    },
    list: () => [...found.values()],
  };
}

/**
 * The differences for the tracked pages at the viewports that are captured. What rules do at an added or renamed one is
 * compared with what the base would do there. Leaving a page out there is none: it was not captured before.
 */
async function comparePages({ base, head, paths }: Compared): Promise<{ changes: Difference[]; isWhole: boolean }> {
  const known = new Set(viewportNames(base));
  const captured = viewportNames(head);
  const collected = collector();
  const late = performance.now() + COMPARING_MS;
  for await (const path of inTurns(paths)) {
    if (performance.now() > late) return { changes: collected.list(), isWhole: false };
    for (const viewport of captured) {
      const place = { path, viewport };
      const [before, after] = [settingsForPage(base, place), settingsForPage(head, place)];
      const skip = known.has(viewport) ? before.skip : after.skip;
      for (const change of comparePage({ ...before, skip }, after)) collected.add(change, place);
    }
  }
  return { changes: collected.list(), isWhole: true };
}

function compareViewports({ base, head, paths }: Compared): Difference[] {
  const captured = (config: SuiteConfig, viewport: string) =>
    paths
      .filter((path) => findSkippedViewports(config.rules, path, [viewport]).length === 0)
      .map((path) => ({ path, viewport }));
  const find = (config: SuiteConfig, name: string) => config.viewports.find((each) => each.name === name) ?? null;
  return [...new Set([...viewportNames(base), ...viewportNames(head)])].flatMap((name): Difference[] => {
    const [before, after] = [find(base, name), find(head, name)];
    if (isDeepStrictEqual(before, after)) return [];
    const field = 'viewports';
    if (before === null && after !== null) {
      return [
        { field, before: null, after: describeViewport(after), effect: 'TIGHTENS', places: captured(head, name) },
      ];
    }
    const is = after === null ? null : JSON.stringify(after);
    const was = before === null ? null : after === null ? describeViewport(before) : JSON.stringify(before);
    return [{ field, before: was, after: is, effect: 'LOOSENS', places: captured(base, name) }];
  });
}

/** The hash tells these settings from others, because an approval is only for what it was given for. */
function describeUnknown(compared: readonly SuiteConfig[]): string {
  const judged = compared.map(({ rules, waitTime, threshold, failureThreshold }) => [
    // Parsed, so that keys are in the same order wherever they come from.
    PageRules.parse(rules),
    { waitTime, threshold, failureThreshold },
  ]);
  const hash = sha256Of(JSON.stringify(judged));
  return `too many globs to compare page by page (${hash.slice(0, 16)})`;
}

/** The effect of rules and of the settings that they override. A difference that affects no page loosens nothing. */
async function compareByPage(compared: Compared, differing: readonly string[]): Promise<Difference[]> {
  const { base, head } = compared;
  const { changes, isWhole } = await comparePages(compared);
  const unknown: Difference[] = isWhole
    ? []
    : [{ field: 'rules', before: null, after: describeUnknown([base, head]), effect: 'LOOSENS', places: null }];
  const isSeen = (path: string) => [...changes, ...unknown].some(({ field }) => field === path || path === 'rules');
  const unseen = differing.filter((path) => !isSeen(path));
  return [
    ...changes,
    ...unknown,
    ...unseen.map((path): Difference => {
      const [before, after] = path === 'rules' ? [null, null] : [valueAt(base, path), valueAt(head, path)];
      return { field: path, before, after, effect: 'NEUTRAL', places: [] };
    }),
  ];
}

/**
 * How two configurations of a suite judge its tracked pages differently. Rules are compared by their effect on each
 * page and viewport, so neither their order nor a rule for no page makes a difference.
 */
export async function compareSettings(compared: Compared): Promise<Difference[]> {
  const { base, head, repository } = compared;
  const differing = differingSettings(base, head).map(({ path }) => path);
  const judges = new Map<string, Judge | 'by page' | 'by viewport'>(Object.entries(EFFECTS));
  const plain = differing.flatMap((path): Difference[] => {
    const judge = judges.get(path);
    if (judge === 'by page' || judge === 'by viewport') return [];
    const effect = judge === undefined ? 'LOOSENS' : judge(base, head, repository);
    return [{ field: path, before: valueAt(base, path), after: valueAt(head, path), effect, places: null }];
  });
  const byPage = differing.filter((path) => judges.get(path) === 'by page');
  return [
    ...(byPage.length === 0 ? [] : await compareByPage(compared, byPage)),
    ...(differing.includes('viewports') ? compareViewports(compared) : []),
    ...plain,
  ];
}
