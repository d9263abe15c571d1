import { z } from 'zod';
import { forgotPassword, resetPassword } from '../../auth/passwords/change-password.ts';
import { knowBrowser } from '../../http/cookies.ts';
import { buildFields } from '../form-field.ts';
import { publicFormRoute, publicPageRoute, redirect } from '../web-route.ts';
import { EMAIL, NEW_PASSWORD, showPasswordsOff } from './sign-in-form.ts';

const Form = z.object({ email: z.string().trim().min(1, 'is required').max(1000) });

const PAGE = { kind: 'page', title: 'Reset your password', width: 'narrow' } as const;

export const getForgotPassword = publicPageRoute({ path: '/forgot-password' }, async (ctx, { viewer }, problem) => {
  if (!ctx.config.passwordSignIn) return showPasswordsOff(PAGE.title);
  const fields = buildFields({ email: { ...EMAIL, autofocus: true, value: viewer?.email ?? null } }, problem);
  return { ...PAGE, view: 'account/forgot-password', model: { fields, problem } };
});

/** The answer is the same whether or not the account exists. */
export const postForgotPassword = publicFormRoute(
  { path: '/forgot-password', form: Form, rateLimit: 'forgot-password', redisplay: getForgotPassword.show },
  async (ctx, { form }) => {
    await forgotPassword(ctx, form);
    return { ...PAGE, view: 'account/reset-link-sent', model: { email: form.email } };
  },
);

/** The token is in the URL of the link in the e-mail. `Referrer-Policy: same-origin` hides it from other sites. */
const Query = z.object({ token: z.string().max(1000).optional().catch(undefined) });
const ResetForm = z.object({ token: z.string(), password: z.string() });

const RESET_PAGE = { kind: 'page', title: 'Choose a new password', width: 'narrow' } as const;

export const getResetPassword = publicPageRoute(
  { path: '/reset-password', query: Query },
  async (ctx, { query }, problem) => {
    if (!ctx.config.passwordSignIn) return showPasswordsOff(RESET_PAGE.title);
    const { token } = query;
    if (token === undefined || problem?.fields['token'] !== undefined) {
      return { ...RESET_PAGE, view: 'account/reset-link-lapsed', model: {}, status: 400 };
    }
    const password = { ...NEW_PASSWORD, label: 'New password', autofocus: true };
    const model = { fields: buildFields({ password }, problem), problem, token };
    return { ...RESET_PAGE, view: 'account/reset-password', model };
  },
);

/** The form's action URL contains the token too, so that people can try again after a rejected password. */
export const postResetPassword = publicFormRoute(
  {
    path: '/reset-password',
    query: Query,
    form: ResetForm,
    rateLimit: 'reset-password',
    redisplay: getResetPassword.show,
  },
  async (ctx, { form, cookies }) => {
    const { email } = await resetPassword(ctx, form);
    knowBrowser(ctx, cookies, email);
    return redirect('/sign-in', 'Password changed. Sign in with your new password.');
  },
);
