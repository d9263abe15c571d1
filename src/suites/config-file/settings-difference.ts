import { cut, formatCount, inOneLine } from '../../text/format.ts';
import { sha256Of } from '../../text/sha256.ts';
import type { Place } from '../config/page-rule.ts';
import type { Effect } from './setting-effects.ts';

/** One difference between two configurations that affects a judgment. */
export type SettingsDifference = {
  /** `failureThreshold`, `rules.mask`, `viewports`. */
  field: string;
  /** In words. Null: it did not exist. */
  before: string | null;
  /** In words. Null: it is no longer there. */
  after: string | null;
  effect: Effect;
  /** `AFTER_MERGE`: the pull request itself is not judged by it. */
  applies: 'NOW' | 'AFTER_MERGE';
  /** The tracked pages that it affects. Null: it is not about single pages. */
  pages: number | null;
  /** The first of them. */
  paths: string[];
  viewports: string[];
};

/** The same with the values themselves, and with all of its pages. */
export type FoundDifference = Pick<SettingsDifference, 'field' | 'effect' | 'applies'> & {
  before: unknown;
  after: unknown;
  /** Null: it is not about single pages. */
  places: Place[] | null;
};

const PATHS_KEPT = 20;
const MAX_VALUE = 300;

const RANK: Record<Effect, number> = { LOOSENS: 0, NEUTRAL: 1, TIGHTENS: 2 };

function formatValue(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return cut(value.trim(), MAX_VALUE);
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return cut(value.join(', '), MAX_VALUE);
  return cut(JSON.stringify(value), MAX_VALUE);
}

function presentDifference({ places, before, after, ...rest }: FoundDifference): SettingsDifference {
  const paths = places === null ? null : [...new Set(places.map(({ path }) => path))];
  return {
    ...rest,
    before: formatValue(before),
    after: formatValue(after),
    pages: paths?.length ?? null,
    paths: paths?.slice(0, PATHS_KEPT) ?? [],
    viewports: [...new Set((places ?? []).map(({ viewport }) => viewport))],
  };
}

/** For people, with loosening differences first. */
export const presentDifferences = (found: readonly FoundDifference[]): SettingsDifference[] =>
  found.map(presentDifference).toSorted((one, other) => RANK[one.effect] - RANK[other.effect]);

/** A hash of what loosens, and of the pages. Null if nothing loosens. An approval is bound to it. */
export function hashLoosening(differences: readonly FoundDifference[]): string | null {
  const loosening = differences
    .filter(({ effect }) => effect === 'LOOSENS')
    .map((each) => JSON.stringify(each))
    .toSorted();
  return loosening.length === 0 ? null : sha256Of(loosening.join('\n'));
}

/** A verb for lists whose values say nothing by themselves. */
const VERBS: Record<string, string> = {
  'rules.ignore': 'ignored',
  'rules.ignoreBoxes': 'ignored',
  'rules.mask': 'masked',
  'rules.hide': 'hidden',
  'rules.remove': 'removed',
};

/** Writes a value as code. */
type InCode = (text: string) => string;

const inTicks: InCode = (text) => `\`${inOneLine(text).replaceAll('`', '')}\``;

function describeWhat({ field, before, after }: SettingsDifference, code: InCode): string {
  const verb = VERBS[field];
  if (verb !== undefined) return after === null ? `${code(before ?? '')} no longer ${verb}` : `${code(after)} ${verb}`;
  if (field === 'rules.skip') return after === 'on' ? 'no longer captured:' : 'captured again:';
  if (field === 'viewports') {
    if (after === null) return `viewport ${code(before ?? '')} dropped`;
    if (before === null) return `viewport ${code(after)} added`;
  }
  const value = (said: string | null) => (said === null || said === '' ? 'none' : code(said));
  return `${field.startsWith('rules.') ? field.slice('rules.'.length) : field} ${value(before)} → ${value(after)}`;
}

/** The first of them in words, and how many more there are. */
export function listDifferences(differences: readonly SettingsDifference[], most: number, code = inTicks): string[] {
  const left = differences.length - most;
  const shown = differences.slice(0, most).map((each) => describeDifference(each, code));
  return left > 0 ? [...shown, formatCount(left, 'more changed setting')] : shown;
}

/** ``failureThreshold `0.01` → `5` on 12 pages``. */
export function describeDifference(difference: SettingsDifference, code = inTicks): string {
  const { pages, viewports, applies, effect, field } = difference;
  const what = describeWhat(difference, code);
  const where =
    pages === null
      ? ''
      : pages === 0
        ? ', which concerns no tracked page'
        : field === 'viewports'
          ? ` (${formatCount(pages, 'page')})`
          : `${field === 'rules.skip' ? '' : ' on'} ${formatCount(pages, 'page')} at ${viewports.join(', ')}`;
  const when = applies === 'AFTER_MERGE' && effect !== 'NEUTRAL' ? ', after the merge' : '';
  return `${what}${where}${when}`;
}
