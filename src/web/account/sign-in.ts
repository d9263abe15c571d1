import { z } from 'zod';
import { logIn } from '../../auth/log-in.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { ownPath } from '../../http/own-path.ts';
import type { Answer } from '../answer.ts';
import { leadTo } from '../answer.ts';
import { fieldsOf } from '../form-field.ts';
import type { Problem } from '../problem.ts';
import type { Call } from '../row.ts';
import { action, openAction, openPage } from '../row.ts';

const Query = z.object({ next: z.string().optional().catch(undefined) });
const Form = z.object({ email: z.string(), password: z.string() });

async function showForm(
  { config }: Context,
  { viewer, query }: Call<unknown, z.output<typeof Query>, Viewer | null>,
  problem: Problem | null = null,
): Promise<Answer> {
  const next = ownPath(query.next);
  if (viewer !== null) return leadTo(next);
  const fields = fieldsOf(
    {
      email: {
        label: 'E-mail address',
        type: 'email',
        required: true,
        autofocus: true,
        attributes: { autocomplete: 'username' },
      },
      password: {
        label: 'Password',
        type: 'password',
        required: true,
        attributes: { autocomplete: 'current-password' },
      },
    },
    problem,
  );
  const model = {
    fields,
    problem,
    action: next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`,
    allowRegistration: config.allowRegistration,
  };
  return { kind: 'page', view: 'account/sign-in', title: 'Sign in', model, width: 'narrow' };
}

export const getSignIn = openPage({ path: '/sign-in', query: Query }, async (ctx, call) => showForm(ctx, call));

export const postSignIn = openAction(
  { path: '/sign-in', query: Query, form: Form, rateLimit: 'login', again: showForm },
  async (ctx, { form, query, cookies }) => {
    const { token } = await logIn(ctx, form);
    cookies.signIn(token);
    return leadTo(ownPath(query.next));
  },
);

export const postSignOut = action({ path: '/sign-out', form: z.object({}) }, async (_ctx, { cookies }) => {
  cookies.signOut();
  return leadTo('/sign-in', 'You are signed out');
});
