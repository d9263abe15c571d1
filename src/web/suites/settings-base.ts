import { z } from 'zod';
import type { ChangedSetting, Settings } from '../../suites/merge-settings.ts';
import { rebase } from '../../suites/merge-settings.ts';
import { SUITE_CONFIG, SuiteConfigInput } from '../../suites/suite-config.ts';
import type { Suite } from '../../suites/suite.ts';
import { formatList } from '../../text/format.ts';
import type { Problem } from '../problem.ts';

const Base = z.object({
  name: z.string(),
  baseUrl: z.string(),
  description: z.string().nullable(),
  config: SuiteConfigInput,
});

export function readSettings({ name, baseUrl, description, config }: Suite): Settings {
  const set = SuiteConfigInput.parse(config);
  return { name, baseUrl, description, config: SUITE_CONFIG.withoutDefaults(set) ?? {} };
}

/** The hidden field of the form, which says what the page showed. */
const writeBase = (base: object): string => Buffer.from(JSON.stringify(base)).toString('base64url');

/** Undefined for a form without it, or with one that was tampered with: nothing is compared then. */
export function readBase(text: string | undefined): Settings | undefined {
  try {
    return Base.parse(JSON.parse(Buffer.from(text ?? '', 'base64url').toString()));
  } catch {
    return undefined;
  }
}

const Changed = z.array(z.object({ path: z.string(), now: z.unknown() }));

/** The settings that somebody else changed to another value. Empty for any other problem. */
export function readConflicts(problem: Problem | null): ChangedSetting[] {
  if (problem?.details?.code !== 'changed_meanwhile') return [];
  const parsed = Changed.safeParse(problem.details['settings']);
  return parsed.success ? parsed.data.map(({ path, now }) => ({ path, now })) : [];
}

/** The base of a form that is shown again. Conflicts have been seen, so saving again overwrites them. */
export function baseOf(suite: Suite, problem: Problem | null): string {
  const stored = readSettings(suite);
  const base = problem === null ? undefined : readBase(problem.typed['base']);
  if (base === undefined) return writeBase(stored);
  return writeBase(rebase(stored, base, new Set(readConflicts(problem).map(({ path }) => path))));
}

const LABELS = new Map([
  ['name', 'Name'],
  ['baseUrl', 'Base URL'],
  ['description', 'Description'],
  ...SUITE_CONFIG.settings('config', null).map(({ path, label }): [string, string] => [path, label]),
]);

export const settingLabel = (path: string): string => LABELS.get(path) ?? path;

const LONGEST = 400;

function formatValue(value: unknown): string {
  if (value === null || value === '') return 'empty';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return formatList(value);
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** What the page shows beside the viewer's own values. */
export const describeConflicts = (conflicts: ChangedSetting[]): { label: string; now: string }[] =>
  conflicts.map(({ path, now }) => ({ label: settingLabel(path), now: formatValue(now) }));

/** The same at the field itself. */
export const conflictsAtFields = (conflicts: ChangedSetting[]): Record<string, string> =>
  Object.fromEntries(
    conflicts.map(({ path, now }) => [
      path,
      `Changed to ${formatValue(now)} since you opened this page. Save again to use your value.`,
    ]),
  );
