import { z } from 'zod';
import { changePreferences } from '../../auth/change-preferences.ts';
import { PreferenceChange } from '../../auth/preferences.ts';
import { ownPath } from '../../http/own-path.ts';
import { redirect } from '../reply.ts';
import { formRoute } from '../web-route.ts';

const Form = PreferenceChange.extend({ back: z.string().optional() });

/** Changes the fields that the form has. A script sends them when the open page already shows them, and gets nothing. */
export const postPreferences = formRoute({ path: '/preferences', form: Form }, async (ctx, { viewer, form, htmx }) => {
  const { back, ...change } = form;
  await changePreferences(ctx, viewer, change);
  return htmx ? { kind: 'empty' } : redirect(ownPath(back));
});
