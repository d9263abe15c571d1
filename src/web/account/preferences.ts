import { z } from 'zod';
import { changePreferences } from '../../auth/change-account.ts';
import { PAGE_COLORS, PreferenceChange, SINGLE_KEYS, type Preferences } from '../../auth/preferences.ts';
import { ownPath } from '../../http/own-path.ts';
import { capitalize } from '../../text/format.ts';
import { redirect } from '../reply.ts';
import { THEMES } from '../show-layout.ts';
import { formRoute, publicFormRoute } from '../web-route.ts';

const LABELS: Record<string, string> = { colorblind: 'Color blind', high_contrast: 'High contrast' };

const labelOf = (value: string) => LABELS[value] ?? capitalize(value);

/** A preference as a row of buttons, each of which saves its value. */
function choice(name: keyof Preferences, label: string, values: readonly string[], chosen: string) {
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

const Form = PreferenceChange.extend({ back: z.string().optional() });

export const postPreferences = formRoute({ path: '/preferences', form: Form }, async (ctx, { viewer, form }) => {
  const { back, ...change } = form;
  await changePreferences(ctx, viewer, change);
  return redirect(ownPath(back));
});

const ThemeForm = z.object({ theme: z.enum(THEMES), back: z.string().optional() });

/** The theme belongs to the browser, not to the account, so it is stored in a cookie. */
export const postTheme = publicFormRoute({ path: '/theme', form: ThemeForm }, async (_ctx, { form, cookies }) => {
  cookies.set('theme', form.theme);
  return redirect(ownPath(form.back));
});
