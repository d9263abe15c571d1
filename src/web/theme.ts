import type { PageColors } from '../auth/preferences.ts';
import type { Cookies } from '../http/cookies.ts';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const LABELS: Record<Theme, string> = { auto: 'System', light: 'Light', dark: 'Dark' };

export function readTheme(cookies: Cookies): Theme {
  const chosen = cookies.read('theme');
  return THEMES.find((theme) => theme === chosen) ?? 'auto';
}

/** The buttons of the menu and of the account page. */
export function themeChoices(chosen: Theme): { value: Theme; label: string; current: boolean }[] {
  return THEMES.map((value) => ({ value, label: LABELS[value], current: value === chosen }));
}

/** Primer's names of the themes that are used in light and in dark. */
export function chooseColors(colors: PageColors): { light: string; dark: string } {
  const suffix = colors === 'default' ? '' : `_${colors}`;
  return { light: `light${suffix}`, dark: `dark${suffix}` };
}
