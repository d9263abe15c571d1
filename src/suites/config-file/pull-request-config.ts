import { isDeepStrictEqual } from 'node:util';
import type { ConfigSection } from '../config/config-field.ts';
import { isRuleNumber } from '../config/page-rule.ts';
import { effectiveConfig, mergeConfig, type SuiteConfig, type SuiteConfigInput } from '../config/suite-config.ts';
import { compareSettings } from './compare-settings.ts';
import { differingSettings, pickSettings, valueAt, type SuiteSettings } from './config-file.ts';
import { judgeChosen, judgeTemplate, type Repository } from './setting-effects.ts';
import type { FoundDifference } from './settings-difference.ts';

/** What a pull request changes in the configuration of a suite, as its check says it. */
export type ConfigChange = {
  /** The settings that its run goes by: `rules`, `crawlOptions.timeout`. */
  used: string[];
  /** Those that apply only after the merge. */
  later: string[];
  /** A pull request of a fork: nothing of it is used before the merge. */
  fromFork: boolean;
};

/** What decides how the screenshots of one run are taken. */
const OF_A_SCREENSHOT: ReadonlySet<ConfigSection | null> = new Set<ConfigSection>([
  'viewports',
  'capture',
  'emulation',
  'rules',
]);
const OF_A_COMPARISON: ReadonlySet<ConfigSection | null> = new Set<ConfigSection>(['compare']);

const paths = (settings: readonly { path: string }[]) => settings.map(({ path }) => path);

/**
 * The settings that a version of the file changes, compared with the version it started from. Missing settings are no
 * change.
 */
export function ownSettings(began: SuiteConfigInput, head: SuiteConfigInput): SuiteConfigInput {
  return pickSettings(head, ({ path }) => !isDeepStrictEqual(valueAt(began, path), valueAt(head, path)));
}

/**
 * The configuration of a run whose pull request changes the file (docs/rules.md, Pull requests). It decides over its
 * own screenshots. What is gated, crawled and tracked, and how much load runs make, stays as the suite has it. If it
 * changes how screenshots are taken, none are taken of the suite's own site: settings that nobody has reviewed must not
 * run there, with its secrets. Null `change`: there is none.
 * @param from.ownSite the preview is at the suite's own origin, whose secrets are sent there: nothing unreviewed runs
 */
export function configOfPullRequest(
  suite: SuiteConfig,
  file: SuiteConfigInput,
  { fromFork, ownSite }: { fromFork: boolean; ownSite: boolean },
): { config: SuiteConfig; change: ConfigChange | null } {
  const merged = effectiveConfig(mergeConfig(suite, file));
  const differing = differingSettings(suite, merged).filter(({ path }) => path !== 'preview');
  if (differing.length === 0) return { config: suite, change: null };
  if (fromFork) return { config: suite, change: { used: [], later: paths(differing), fromFork } };
  const isOwn = ({ section }: { section: ConfigSection | null }) =>
    OF_A_COMPARISON.has(section) || (!ownSite && OF_A_SCREENSHOT.has(section));
  const used = differing.filter(isOwn);
  const own = pickSettings(merged, isOwn);
  const isCapturedOtherwise = used.some(({ section }) => OF_A_SCREENSHOT.has(section));
  const control = isCapturedOtherwise ? { control: false } : {};
  const config = effectiveConfig(mergeConfig(mergeConfig(suite, own), control));
  const later = paths(differing).filter((path) => !paths(used).includes(path));
  return { config, change: { used: paths(used), later, fromFork } };
}

/** What only the file says. */
type FileOnly = Pick<SuiteSettings, 'previewUrl' | 'paths' | 'ignoreDrafts' | 'runAfterMerge'>;

/** The settings that a suite's configuration doesn't have. */
function compareFileOnly(began: FileOnly, head: FileOnly, repository: Repository): FoundDifference[] {
  const every = ['**'];
  const { previewUrl, paths: globs, ignoreDrafts, runAfterMerge } = began;
  const settings: Omit<FoundDifference, 'places'>[] = [
    {
      field: 'previewUrl',
      before: previewUrl,
      after: head.previewUrl,
      effect: judgeTemplate(previewUrl, head.previewUrl, repository),
      applies: 'NOW',
    },
    {
      field: 'paths',
      before: globs,
      after: head.paths,
      // A pull request that changes the file is always captured.
      effect: judgeChosen(globs ?? every, head.paths ?? every),
      applies: 'AFTER_MERGE',
    },
    // Drafts can't be merged.
    { field: 'ignoreDrafts', before: ignoreDrafts, after: head.ignoreDrafts, effect: 'NEUTRAL', applies: 'NOW' },
    {
      field: 'runAfterMerge',
      before: runAfterMerge,
      after: head.runAfterMerge,
      effect: 'NEUTRAL',
      applies: 'AFTER_MERGE',
    },
  ];
  const differing = settings.filter(({ before, after }) => !isDeepStrictEqual(before, after));
  return differing.map((setting) => ({ ...setting, places: null }));
}

/** Whether the pull request's own run uses a setting that it changes. */
function isUsed(field: string, used: readonly string[]): boolean {
  if (field === 'preview' || used.includes(field)) return true;
  return used.includes('rules') && (field.startsWith('rules.') || isRuleNumber(field));
}

export type PullRequestChange = {
  suite: SuiteConfig;
  /** Its changes of the configuration. */
  own: SuiteConfigInput;
  used: readonly string[];
  fromFork: boolean;
  /** Tracked pages. */
  paths: readonly string[];
  repository: Repository;
};

/** How a pull request changes the judgment of its suite. */
export async function compareOwn({ suite, own, used, fromFork, ...at }: PullRequestChange): Promise<FoundDifference[]> {
  const head = effectiveConfig(mergeConfig(suite, own));
  const found = await compareSettings({ base: suite, head, ...at });
  return found.map((difference) => ({
    ...difference,
    applies: !fromFork && isUsed(difference.field, used) ? 'NOW' : 'AFTER_MERGE',
  }));
}

/** The same for settings that only the file has. */
export const compareOwnFile = (
  began: FileOnly,
  head: FileOnly,
  { fromFork, repository }: Pick<PullRequestChange, 'fromFork' | 'repository'>,
): FoundDifference[] =>
  compareFileOnly(began, head, repository).map((each) => (fromFork ? { ...each, applies: 'AFTER_MERGE' } : each));
