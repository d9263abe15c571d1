import { z } from 'zod';
import { ownPath } from '../../http/own-path.ts';
import { leadTo } from '../answer.ts';
import { openAction, THEMES } from '../row.ts';

const Form = z.object({ theme: z.enum(THEMES), back: z.string().optional() });

/** The colours are the browser's, not the account's: a cookie keeps them. */
export const postTheme = openAction({ path: '/theme', form: Form }, async (_ctx, { form, cookies }) => {
  cookies.chooseTheme(form.theme);
  return leadTo(ownPath(form.back));
});
