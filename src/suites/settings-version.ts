import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';
import { differingSettings, valueAt } from './config-file/locked-settings.ts';
import { effectiveConfig, type SuiteConfigInput } from './config/suite-config.ts';
import type { Suite } from './suite.ts';

/** What people set in a suite, apart from its repository and whether it is active. */
type Settings = Pick<Suite, 'name' | 'baseUrl' | 'description' | 'config'>;
/** The same without defaults. */
export type StoredSettings = Omit<Settings, 'config'> & { config: SuiteConfigInput };
type SettingsChange = { [N in keyof StoredSettings]?: StoredSettings[N] | undefined };

/** A setting by its path, `name` or `config.maxPages`: what it is now, and what a change would make of it. */
type ChangedSetting = { path: string; now: unknown; wanted: unknown };

/** Stands for the settings of a suite as they are. Whoever saves them says which version they have seen. */
export const settingsVersion = ({ name, baseUrl, description, config }: Settings): string =>
  createHash('sha256')
    .update(JSON.stringify([name, baseUrl, description, config]))
    .digest('hex')
    .slice(0, 16);

const PLAIN = ['name', 'baseUrl', 'description'] as const;

function listChanges(stored: Settings, change: SettingsChange): ChangedSetting[] {
  const plain = PLAIN.filter((path) => change[path] !== undefined && change[path] !== stored[path]);
  const config = change.config === undefined ? stored.config : effectiveConfig(change.config);
  return [
    ...plain.map((path) => ({ path, now: stored[path], wanted: change[path] })),
    ...differingSettings(stored.config, config).map(({ path }) => ({
      path: `config.${path}`,
      now: valueAt(stored.config, path),
      wanted: valueAt(config, path),
    })),
  ];
}

/**
 * Refuses to overwrite settings that nobody has seen. Saving what is already stored is no change.
 * @param seen the version from which the change was made; undefined: whatever is stored
 * @throws AppError conflict `changed_meanwhile` with both values of each setting, and the version that is stored
 */
export function requireSeen(seen: string | undefined, before: StoredSettings, change: SettingsChange): void {
  const stored = { ...before, config: effectiveConfig(before.config) };
  const version = settingsVersion(stored);
  if (seen === undefined || seen === version) return;
  const settings = listChanges(stored, change);
  if (settings.length === 0) return;
  throw new AppError('conflict', 'The settings have changed in the meantime. Nothing was saved.', {
    code: 'changed_meanwhile',
    settings,
    settingsVersion: version,
    issues: settings.map(({ path }) => ({ path, message: 'has another value by now' })),
  });
}
