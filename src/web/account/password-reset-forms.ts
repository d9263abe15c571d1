import { z } from 'zod';
import { resetPassword } from '../../auth/passwords/reset-password.ts';
import { forgotPassword } from '../../auth/passwords/send-reset-link.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { knowBrowser } from '../../http/sign-browser-in.ts';
import { buildFields } from '../form-field.ts';
import type { Problem } from '../problem.ts';
import { redirect, type Reply } from '../reply.ts';
import { publicFormRoute, publicPageRoute, type WebRequest } from '../web-route.ts';
import { EMAIL, NEW_PASSWORD, showPasswordsOff } from './sign-in-form.ts';

const Form = z.object({ email: z.string().trim().min(1, 'is required').max(1000) });

const PAGE = { kind: 'page', title: 'Reset your password', width: 'narrow' } as const;

async function showForm(
  ctx: Context,
  { viewer }: WebRequest<unknown, unknown, Viewer | null>,
  problem: Problem | null,
): Promise<Reply> {
  if (!ctx.config.passwordSignIn) return showPasswordsOff(PAGE.title);
  const fields = buildFields({ email: { ...EMAIL, autofocus: true, value: viewer?.email ?? null } }, problem);
  return { ...PAGE, view: 'account/forgot-password', model: { fields, problem } };
}

export const getForgotPassword = publicPageRoute({ path: '/forgot-password' }, showForm);

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

function showLapsed(status: number): Reply {
  return { ...RESET_PAGE, view: 'account/reset-link-lapsed', model: {}, status };
}

async function showResetForm(
  ctx: Context,
  { query }: WebRequest<unknown, z.output<typeof Query>, Viewer | null>,
  problem: Problem | null,
): Promise<Reply> {
  if (!ctx.config.passwordSignIn) return showPasswordsOff(RESET_PAGE.title);
  const { token } = query;
  if (token === undefined || problem?.fields['token'] !== undefined) return showLapsed(400);
  const password = { ...NEW_PASSWORD, label: 'New password', autofocus: true };
  const model = { fields: buildFields({ password }, problem), problem, token };
  return { ...RESET_PAGE, view: 'account/reset-password', model };
}

export const getResetPassword = publicPageRoute({ path: '/reset-password', query: Query }, showResetForm);

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
