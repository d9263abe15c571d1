import type { Theme } from './route.ts';
import { THEMES } from './route.ts';

const LABELS: Record<Theme, string> = { auto: 'As the system', light: 'Light', dark: 'Dark' };

/** What the buttons of the menu and of the account's page say. */
export function themeChoices(chosen: Theme): { value: Theme; label: string; current: boolean }[] {
  return THEMES.map((value) => ({ value, label: LABELS[value], current: value === chosen }));
}
