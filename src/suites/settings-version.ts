import { AppError } from '../errors.ts';
import { versionOf } from '../text/sha256.ts';
import { differingSettings, valueAt } from './config-file/config-file.ts';
import { effectiveConfig, type SuiteConfigInput } from './config/suite-config.ts';
import type { Suite } from './suite.ts';

/** What people set in a suite, apart from its repository, or some of it. Defaults are left out. */
export type Settings = { [N in (typeof FIELDS)[number]]?: Suite[N] | undefined } & {
  config?: SuiteConfigInput | undefined;
};
export type StoredSettings = Pick<Suite, 'name' | 'baseUrl' | 'description'> & { config: SuiteConfigInput };

/** Stands for the settings of a suite as they are. Whoever saves them says which version they have seen. */
export const settingsVersion = ({
  name,
  baseUrl,
  description,
  config,
}: Pick<Suite, 'name' | 'baseUrl' | 'description' | 'config'>): string =>
  versionOf([name, baseUrl, description, config]);

const FIELDS = ['name', 'baseUrl', 'description', 'isActive'] as const;

/** What differs: fields, and settings of the configuration by their paths. What is missing in one stays as it is. */
export function findChanges(before: Settings, after: Settings) {
  const fields = FIELDS.filter(
    (field) => before[field] !== undefined && after[field] !== undefined && before[field] !== after[field],
  );
  const [from, to] = [effectiveConfig(before.config ?? {}), effectiveConfig(after.config ?? before.config ?? {})];
  return {
    fields: fields.map((path) => ({ path, from: before[path], to: after[path] })),
    config: differingSettings(from, to).map(({ path }) => ({ path, from: valueAt(from, path), to: valueAt(to, path) })),
  };
}

/**
 * Refuses to overwrite settings that nobody has seen. Saving what is already stored is no change.
 * @param seen the version from which the change was made; undefined: whatever is stored
 * @throws AppError conflict `changed_meanwhile` with both values of each setting, and the version that is stored
 */
export function requireSeen(seen: string | undefined, before: StoredSettings, change: Settings): void {
  const version = settingsVersion({ ...before, config: effectiveConfig(before.config) });
  if (seen === undefined || seen === version) return;
  const { fields, config } = findChanges(before, change);
  const changes = [...fields, ...config.map((each) => ({ ...each, path: `config.${each.path}` }))];
  const settings = changes.map(({ path, from: now, to: wanted }) => ({ path, now, wanted }));
  if (settings.length === 0) return;
  throw new AppError('conflict', 'The settings have changed in the meantime. Nothing was saved.', {
    code: 'changed_meanwhile',
    settings,
    settingsVersion: version,
    issues: settings.map(({ path }) => ({ path, message: 'has another value by now' })),
  });
}
