import { z } from 'zod';
import { ownPath } from '../../http/own-path.ts';
import { redirect } from '../reply.ts';
import { publicFormRoute } from '../web-route.ts';
import { THEMES } from '../theme.ts';

const Form = z.object({ theme: z.enum(THEMES), back: z.string().optional() });

/** The theme belongs to the browser, not to the account, so it is stored in a cookie. */
export const postTheme = publicFormRoute({ path: '/theme', form: Form }, async (_ctx, { form, cookies }) => {
  cookies.set('theme', form.theme);
  return redirect(ownPath(form.back));
});
