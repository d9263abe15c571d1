import { z } from 'zod';
import { SUITE_CONFIG } from '../../../suites/config/suite-config.ts';
import { settingsVersion } from '../../../suites/settings-version.ts';
import type { Suite } from '../../../suites/suite.ts';
import { formatList } from '../../../text/format.ts';
import type { Problem } from '../../form-field.ts';

const Refusal = z.object({
  code: z.literal('changed_meanwhile'),
  settings: z.array(z.object({ path: z.string(), now: z.unknown(), wanted: z.unknown() })),
  settingsVersion: z.string(),
});

const readRefusal = (problem: Problem | null) => Refusal.safeParse(problem?.details).data ?? null;

/** The version that the form was made from. Both values of a refusal are shown, so that saving again overwrites. */
export const versionOf = (suite: Suite, problem: Problem | null): string =>
  readRefusal(problem)?.settingsVersion ?? problem?.typed['version'] ?? settingsVersion(suite);

const LABELS = new Map([
  ['name', 'Name'],
  ['baseUrl', 'Base URL'],
  ['description', 'Description'],
  ...SUITE_CONFIG.settings('config', null).map(({ path, label }): [string, string] => [path, label]),
]);

const LONGEST = 400;

function formatValue(value: unknown): string {
  if (value === null || value === '') return 'empty';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return formatList(value);
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Both values of each setting that was not saved because somebody else had saved since. */
export const describeConflicts = (problem: Problem | null): { label: string; now: string; wanted: string }[] =>
  (readRefusal(problem)?.settings ?? []).map(({ path, now, wanted }) => ({
    label: LABELS.get(path) ?? path,
    now: formatValue(now),
    wanted: formatValue(wanted),
  }));

/** The same at the fields themselves. */
export function withConflictsAtFields(problem: Problem): Problem {
  const refusal = readRefusal(problem);
  if (refusal === null) return problem;
  const at = refusal.settings.map(({ path, now }) => [
    path,
    `Saved is ${formatValue(now)}. Save again to use your value.`,
  ]);
  return { ...problem, fields: { ...problem.fields, ...Object.fromEntries(at) } };
}
