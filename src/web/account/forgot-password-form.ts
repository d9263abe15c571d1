import { z } from 'zod';
import { forgotPassword } from '../../auth/forgot-password.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import type { Reply } from '../reply.ts';
import { buildFields } from '../form-field.ts';
import type { Problem } from '../problem.ts';
import type { WebRequest } from '../web-route.ts';
import { publicFormRoute, publicPageRoute } from '../web-route.ts';
import { EMAIL } from './credential-fields.ts';

const Form = z.object({ email: z.string().trim().min(1, 'is required').max(1000) });

const PAGE = { kind: 'page', title: 'Reset your password', width: 'narrow' } as const;

async function showForm(
  _ctx: Context,
  { viewer }: WebRequest<unknown, unknown, Viewer | null>,
  problem: Problem | null = null,
): Promise<Reply> {
  const fields = buildFields({ email: { ...EMAIL, autofocus: true, value: viewer?.email ?? null } }, problem);
  return { ...PAGE, view: 'account/forgot-password', model: { fields, problem } };
}

export const getForgotPassword = publicPageRoute({ path: '/forgot-password' }, async (ctx, request) =>
  showForm(ctx, request),
);

/** The answer is the same whether or not the account exists. */
export const postForgotPassword = publicFormRoute(
  { path: '/forgot-password', form: Form, rateLimit: 'forgot-password', redisplay: showForm },
  async (ctx, { form }) => {
    await forgotPassword(ctx, form);
    return { ...PAGE, view: 'account/reset-link-sent', model: { email: form.email } };
  },
);
