import type { ConfigSection } from '../config-field.ts';
import type { SuiteConfig, SuiteConfigInput } from '../suite-config.ts';
import { effectiveConfig, mergeConfig } from '../suite-config.ts';
import { differingSettings, pickSettings } from './locked-settings.ts';

/** What a pull request changes in the configuration of a suite, as its check says it. */
export type ConfigChange = {
  /** The settings that its run goes by: `rules`, `crawlOptions.timeout`. */
  used: string[];
  /** Those that hold only after the merge. */
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
 * The configuration of a pull request's run whose head has another version of the file. It decides over its own
 * screenshots; what is gated, crawled and tracked, and how much load runs make, stays as the suite has it. With other
 * ways to take screenshots, none are taken of the suite's own site: its secrets and its visitors are no matter for what
 * nobody has reviewed. Null `change`: there is none.
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
