import type { PreviewMatcher } from '../config/preview-matcher.ts';
import { mergeConfig, type SuiteConfigInput } from '../config/suite-config.ts';

export const CONFIG_FILE = '.github/pixelgate.yml';

/** What a repository says about one suite: its configuration, its previews, and which pull requests are captured. */
export type SuiteSettings = {
  /** Which preview is the suite's. Null: the file does not say. */
  preview: PreviewMatcher | null;
  /** The template of the address if no signal has one, with `{number}`, `{branch}` and `{sha}`. */
  previewUrl: string | null;
  ignoreDrafts: boolean;
  /** Globs for the changed files. Null: every change counts. */
  paths: string[] | null;
  /** Whether a merge starts a MANUAL run of the suite's own URL. */
  runAfterMerge: boolean;
  /** As a client would set it through the API. */
  config: SuiteConfigInput;
  /** The line of each setting of `config`: `crawlOptions.timeout`. */
  lines: Record<string, number>;
};

/** The file as a whole. */
export type FileSettings = SuiteSettings & {
  /** Settings for single suites, by their names in lower case. */
  suites: Record<string, Partial<SuiteSettings>>;
};

export const NO_SETTINGS: FileSettings = {
  preview: null,
  previewUrl: null,
  ignoreDrafts: false,
  paths: null,
  runAfterMerge: false,
  config: {},
  lines: {},
  suites: {},
};

export const suiteKey = (name: string): string => name.trim().toLowerCase();

/** What the file says for a suite: the settings under its name, and those at the top for the rest. Pure. */
export function settingsFor({ suites, ...common }: FileSettings, name: string): SuiteSettings {
  const key = suiteKey(name);
  // A suite may be named `constructor`.
  const own = (Object.hasOwn(suites, key) ? suites[key] : null) ?? {};
  return {
    ...common,
    ...own,
    config: mergeConfig(common.config, own.config ?? {}),
    lines: { ...common.lines, ...own.lines },
  };
}

/** The suites that the file names but the repository does not have. Pure. */
export function unknownSuites({ suites }: FileSettings, suiteNames: readonly string[]): string[] {
  const known = new Set(suiteNames.map(suiteKey));
  return Object.keys(suites).filter((name) => !known.has(name));
}
