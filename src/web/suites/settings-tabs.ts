import type { Problem } from '../problem.ts';
import type { Can } from '../permissions.ts';

/** A part of the settings, which the fragment of the URL shows: all are on the page, so nothing typed is lost. */
export type SettingsTab = {
  id: string;
  label: string;
  /** Shown when the URL names no tab. */
  isFirst: boolean;
  /** Fields with a problem. Null: none. */
  problems: number | null;
};

type Part = { id: string; label: string; paths: string[] };

/** Whether an issue is about the setting, or something in it. */
const isAt = (issue: string, path: string) => issue === path || issue.startsWith(`${path}.`);

/**
 * @param sections those of the configuration, each with the paths of its settings
 * @param current the tab to show first, unless another has a problem
 */
export function settingsTabs(
  sections: Part[],
  can: Can,
  problem: Problem | null,
  current: string | null,
): SettingsTab[] {
  const parts: Part[] = [
    { id: 'about', label: 'General', paths: ['name', 'baseUrl', 'description'] },
    ...sections,
    { id: 'access', label: 'Access', paths: [] },
    ...(can.activate ? [{ id: 'danger', label: 'Danger zone', paths: ['confirm', 'active'] }] : []),
  ];
  const issues = Object.keys(problem?.fields ?? {});
  const counted = parts.map(({ id, label, paths }) => ({
    id,
    label,
    problems: issues.filter((issue) => paths.some((path) => isAt(issue, path))).length || null,
  }));
  const first = counted.find(({ problems }) => problems !== null) ?? counted.find(({ id }) => id === current);
  return counted.map((tab) => ({ ...tab, isFirst: tab.id === (first?.id ?? 'about') }));
}
