import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../errors.ts';
import { formatList } from '../../text/format.ts';
import type { ConfigSection } from '../config/config-field.ts';
import type { PreviewMatcher } from '../config/preview-matcher.ts';
import {
  effectiveConfig,
  mergeConfig,
  SUITE_CONFIG,
  SuiteConfigInput,
  type SuiteConfig,
} from '../config/suite-config.ts';

/** What is stored about the file on the default branch of a suite's repository. */
export type ConfigFileState = {
  /** Git's hash of the last valid version. Null: there was none yet. */
  blobSha: string | null;
  /** The line of each setting that the last valid version sets: `crawlOptions.timeout`. */
  lines: Record<string, number>;
  /** Null: it is not known. */
  branch: string | null;
  /** Where the file is on the code host. */
  url: string;
  /** Why a newer version can't be used, for people. Its settings are those of the last valid one. */
  problem: string | null;
  /** ISO 8601. */
  readAt: string;
};

declare module '../../db/json.ts' {
  interface JsonColumns {
    'test_suites.config_file': ConfigFileState;
  }
}

/** Every setting of a configuration with the part of the settings page that it is in: `crawlOptions.timeout`. */
const SETTINGS = SUITE_CONFIG.settings('', null).map(({ path, section }) => ({ path: path.slice(1), section }));

/** Undefined if it is not set, null if it or a group above it is null. */
export function valueAt(config: SuiteConfigInput, path: string): unknown {
  let value: unknown = config;
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null) return value;
    value = Reflect.get(value, part);
  }
  return value;
}

/** The settings that a configuration sets. */
export const lockedPaths = (config: SuiteConfigInput): string[] =>
  SETTINGS.map(({ path }) => path).filter((path) => valueAt(config, path) !== undefined);

/** The settings in which two configurations differ, with their sections. */
export function differingSettings(
  one: SuiteConfig,
  other: SuiteConfig,
): { path: string; section: ConfigSection | null }[] {
  return SETTINGS.filter(({ path }) => !isDeepStrictEqual(valueAt(one, path), valueAt(other, path)));
}

/** Only the wanted settings of a configuration. */
export function pickSettings(
  config: SuiteConfigInput,
  isWanted: (setting: { path: string; section: ConfigSection | null }) => boolean,
): SuiteConfigInput {
  const wanted = new Set(SETTINGS.filter(isWanted).map(({ path }) => path));
  const read = (path: string) => (wanted.has(path) ? valueAt(config, path) : undefined);
  return SuiteConfigInput.parse(SUITE_CONFIG.collect('', ({ path }) => read(path.slice(1))));
}

/** The paths of the settings that the file sets. */
export const pathsOf = (file: ConfigFileState | null): string[] => Object.keys(file?.lines ?? {});

/** What a form may change: it does not send the controls of locked settings. */
export const withoutLocked = (config: SuiteConfigInput, locked: readonly string[]): SuiteConfigInput =>
  pickSettings(config, ({ path }) => !locked.includes(path));

/** What the file sets, in the order of its lines, each with its location. */
export const lockedSettings = ({ lines, url }: ConfigFileState): { path: string; line: number; url: string }[] =>
  Object.entries(lines)
    .map(([path, line]) => ({ path, line, url: `${url}#L${line}` }))
    .sort((one, other) => one.line - other.line);

/** `.github/pixelgate.yml on main` */
const nameFile = ({ branch }: ConfigFileState) => (branch === null ? CONFIG_FILE : `${CONFIG_FILE} on ${branch}`);

/**
 * Refuses a change of what the repository's file sets. The same value again is no change.
 * @throws AppError conflict `set_by_config_file`
 */
export function requireUnlocked(
  file: ConfigFileState | null,
  stored: SuiteConfigInput,
  changed: SuiteConfigInput,
): void {
  if (file === null) return;
  const settings = differingSettings(effectiveConfig(stored), effectiveConfig(changed))
    .flatMap(({ path }) => (Object.hasOwn(file.lines, path) ? [path] : []))
    .map((path) => ({ path, line: file.lines[path] ?? 1 }));
  if (settings.length === 0) return;
  const names = formatList(settings.map(({ path, line }) => `${path} (line ${line})`));
  const [is, it] = settings.length === 1 ? ['is', 'it'] : ['are', 'them'];
  throw new AppError('conflict', `${names} ${is} set by ${nameFile(file)}. Change ${it} there.`, {
    code: 'set_by_config_file',
    file: CONFIG_FILE,
    url: file.url,
    settings: settings.map(({ path, line }) => ({ path: `config.${path}`, line })),
  });
}

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
