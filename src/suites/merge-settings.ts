import { AppError } from '../errors.ts';
import { formatCount, plural } from '../text/format.ts';
import { differingSettings, lockedPaths, pickSettings, valueAt } from './config-file/locked-settings.ts';
import type { SuiteConfigInput } from './suite-config.ts';
import { effectiveConfig, mergeConfig } from './suite-config.ts';

/** What people set in a suite, apart from its repository and whether it is active. */
export type Settings = { name: string; baseUrl: string; description: string | null; config: SuiteConfigInput };

type Change = { [N in keyof Settings]?: Settings[N] | undefined };

/** A setting by its path, `name` or `config.maxPages`, and its current value. */
export type ChangedSetting = { path: string; now: unknown };

export type MergedSettings<C extends Change> = {
  /** The change without settings that only others changed. */
  change: C;
  /** Settings that only others changed, which are kept. */
  kept: ChangedSetting[];
  /** Settings that both changed, to different values. */
  conflicts: ChangedSetting[];
};

const PLAIN = ['name', 'baseUrl', 'description'] as const;

const pathsOf = (one: SuiteConfigInput, other: SuiteConfigInput) =>
  new Set(differingSettings(effectiveConfig(one), effectiveConfig(other)).map(({ path }) => path));

/**
 * Compares the stored settings, the settings from which the change was made, and the change. A setting that `base` does
 * not mention is not compared. Pure.
 */
export function mergeSettings<C extends Change>(stored: Settings, base: Change, change: C): MergedSettings<C> {
  const kept: ChangedSetting[] = [];
  const conflicts: ChangedSetting[] = [];
  const merged = { ...change };
  for (const name of PLAIN) {
    if (base[name] === undefined || change[name] === undefined || stored[name] === base[name]) continue;
    const now = { path: name, now: stored[name] };
    if (change[name] === base[name]) {
      kept.push(now);
      delete merged[name];
    } else if (change[name] !== stored[name]) conflicts.push(now);
  }
  if (base.config === undefined || change.config === undefined) return { change: merged, kept, conflicts };
  const known = new Set(lockedPaths(base.config));
  const sent = new Set(lockedPaths(change.config));
  const wanted = mergeConfig(base.config, change.config);
  const theirs = pathsOf(stored.config, base.config);
  const mine = pathsOf(wanted, base.config);
  const apart = pathsOf(wanted, stored.config);
  const keeps = new Set<string>();
  for (const path of theirs) {
    if (!known.has(path) || !sent.has(path)) continue;
    const now = { path: `config.${path}`, now: valueAt(effectiveConfig(stored.config), path) };
    if (!mine.has(path)) {
      kept.push(now);
      keeps.add(path);
    } else if (apart.has(path)) conflicts.push(now);
  }
  return {
    change: { ...merged, config: pickSettings(change.config, ({ path }) => !keeps.has(path)) },
    kept,
    conflicts,
  };
}

/**
 * The same base, but with the stored values of the settings in conflict, so that sending the change again overwrites
 * them.
 */
export function rebase(stored: Settings, base: Change, paths: ReadonlySet<string>): Change {
  const plain = PLAIN.filter((name) => paths.has(name)).map((name) => [name, stored[name]]);
  const config = pickSettings(stored.config, ({ path }) => paths.has(`config.${path}`));
  return { ...base, ...Object.fromEntries(plain), config: mergeConfig(base.config ?? {}, config) };
}

/** @throws AppError conflict `changed_meanwhile` with the settings in conflict, and an issue for each. */
export function requireNoConflict(conflicts: ChangedSetting[]): void {
  if (conflicts.length === 0) return;
  const count = formatCount(conflicts.length, 'setting');
  throw new AppError(
    'conflict',
    `${count} you changed ${plural(conflicts.length, 'has', 'have')} also changed in the meantime. Nothing was saved.`,
    {
      code: 'changed_meanwhile',
      settings: conflicts,
      issues: conflicts.map(({ path }) => ({ path, message: 'has also changed in the meantime' })),
    },
  );
}
