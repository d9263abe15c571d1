import { z } from 'zod';
import { resetPassword } from '../../auth/reset-password.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { knowBrowser } from '../../http/sign-browser-in.ts';
import type { Reply } from '../reply.ts';
import { redirect } from '../reply.ts';
import { buildFields } from '../form-field.ts';
import type { Problem } from '../problem.ts';
import type { WebRequest } from '../web-route.ts';
import { publicFormRoute, publicPageRoute } from '../web-route.ts';
import { NEW_PASSWORD } from './credential-fields.ts';

/** The token is in the URL of the link in the e-mail. `Referrer-Policy: same-origin` hides it from other sites. */
const Query = z.object({ token: z.string().max(1000).optional().catch(undefined) });
const Form = z.object({ token: z.string(), password: z.string() });

const PAGE = { kind: 'page', title: 'Choose a new password', width: 'narrow' } as const;

function showLapsed(status: number): Reply {
  return { ...PAGE, view: 'account/reset-link-lapsed', model: {}, status };
}

async function showForm(
  _ctx: Context,
  { query }: WebRequest<unknown, z.output<typeof Query>, Viewer | null>,
  problem: Problem | null = null,
): Promise<Reply> {
  const { token } = query;
  if (token === undefined || problem?.fields['token'] !== undefined) return showLapsed(400);
  const password = { ...NEW_PASSWORD, label: 'New password', autofocus: true };
  const model = { fields: buildFields({ password }, problem), problem, token };
  return { ...PAGE, view: 'account/reset-password', model };
}

export const getResetPassword = publicPageRoute({ path: '/reset-password', query: Query }, async (ctx, request) =>
  showForm(ctx, request),
);

/** The form's action URL contains the token too, so that people can try again after a rejected password. */
export const postResetPassword = publicFormRoute(
  { path: '/reset-password', query: Query, form: Form, rateLimit: 'reset-password', redisplay: showForm },
  async (ctx, { form, cookies }) => {
    const { email } = await resetPassword(ctx, form);
    knowBrowser(ctx, cookies, email);
    return redirect('/sign-in', 'Password changed. Sign in with your new password.');
  },
);
