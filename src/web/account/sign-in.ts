import { z } from 'zod';
import { hasUsers } from '../../auth/first-user.ts';
import { logIn } from '../../auth/log-in.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { isSignInConfigured } from '../../github/sign-in.ts';
import { ownPath } from '../../http/own-path.ts';
import type { Answer } from '../answer.ts';
import { leadTo } from '../answer.ts';
import { fieldsOf } from '../form-field.ts';
import { withQuery } from '../pager.ts';
import type { Problem } from '../problem.ts';
import type { Call } from '../row.ts';
import { action, openAction, openPage } from '../row.ts';
import { EMAIL, PASSWORD } from './credential-fields.ts';
import { NextQuery, nextOf } from './next.ts';

const Form = z.object({ email: z.string(), password: z.string() });

async function showForm(
  ctx: Context,
  { viewer, query }: Call<unknown, z.output<typeof NextQuery>, Viewer | null>,
  problem: Problem | null = null,
): Promise<Answer> {
  if (viewer !== null) return leadTo(ownPath(query.next));
  const [withGitHub, isFresh] = await Promise.all([isSignInConfigured(ctx), hasUsers(ctx).then((has) => !has)]);
  const { allowRegistration } = ctx.config;
  const next = nextOf(query);
  const model = {
    fields: fieldsOf({ email: { ...EMAIL, autofocus: true }, password: PASSWORD }, problem),
    problem,
    action: withQuery('/sign-in', next),
    gitHub: withGitHub ? withQuery('/api/auth/github', next) : null,
    register: allowRegistration ? withQuery('/register', next) : null,
    isFresh,
  };
  return { kind: 'page', view: 'account/sign-in', title: 'Sign in', model, width: 'narrow' };
}

export const getSignIn = openPage({ path: '/sign-in', query: NextQuery }, async (ctx, call) => showForm(ctx, call));

export const postSignIn = openAction(
  { path: '/sign-in', query: NextQuery, form: Form, rateLimit: 'login', again: showForm },
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
