import { z } from 'zod';
import { changePreferences } from '../../auth/change-preferences.ts';
import { PreferenceChange } from '../../auth/preferences.ts';
import { ownPath } from '../../http/own-path.ts';
import { redirect } from '../reply.ts';
import { formRoute } from '../web-route.ts';

const Form = PreferenceChange.extend({ back: z.string().optional() });

/** Changes the fields in the form. */
export const postPreferences = formRoute({ path: '/preferences', form: Form }, async (ctx, { viewer, form }) => {
  const { back, ...change } = form;
  await changePreferences(ctx, viewer, change);
  return redirect(ownPath(back));
});
