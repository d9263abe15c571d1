import type { Preferences } from '../../auth/preferences.ts';
import { PAGE_COLORS, SINGLE_KEYS } from '../../auth/preferences.ts';

/** A preference as a row of buttons, each of which saves its value. */
export type PreferenceChoice = {
  /** The field of `PreferenceChange`. */
  name: keyof Preferences;
  label: string;
  options: { value: string; label: string; current: boolean }[];
};

const LABELS: Record<string, string> = { colorblind: 'Color blind', high_contrast: 'High contrast' };

const labelOf = (value: string) => LABELS[value] ?? value.charAt(0).toUpperCase() + value.slice(1);

function choice(name: keyof Preferences, label: string, values: readonly string[], chosen: string): PreferenceChoice {
  const options = values.map((value) => ({ value, label: labelOf(value), current: value === chosen }));
  return { name, label, options };
}

/** The preferences on the account page. Others are chosen where they take effect. */
export function preferenceChoices(chosen: Preferences) {
  const { pageColors, singleKeys } = chosen;
  return {
    colors: [choice('pageColors', 'Colors', PAGE_COLORS, pageColors)],
    keys: [choice('singleKeys', 'Single-key shortcuts', SINGLE_KEYS, singleKeys)],
  };
}
