import { z } from 'zod';
import { hasUsers } from '../../auth/first-user.ts';
import { logIn } from '../../auth/log-in.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { isSignInConfigured } from '../../github/sign-in/sign-in-with-github.ts';
import { ownPath } from '../../http/own-path.ts';
import { signBrowserIn } from '../../http/sign-browser-in.ts';
import type { Reply } from '../reply.ts';
import { redirect } from '../reply.ts';
import { buildFields } from '../form-field.ts';
import { withQuery } from '../pager.ts';
import type { Problem } from '../problem.ts';
import type { WebRequest } from '../web-route.ts';
import { publicFormRoute, publicPageRoute } from '../web-route.ts';
import { EMAIL, PASSWORD } from './credential-fields.ts';
import { NextQuery, readNext } from './next.ts';

const Form = z.object({ email: z.string(), password: z.string() });

async function showForm(
  ctx: Context,
  { viewer, query }: WebRequest<unknown, z.output<typeof NextQuery>, Viewer | null>,
  problem: Problem | null = null,
): Promise<Reply> {
  if (viewer !== null && problem === null) return redirect(ownPath(query.next));
  const [withGitHub, isFresh] = await Promise.all([isSignInConfigured(ctx), hasUsers(ctx).then((has) => !has)]);
  const { allowRegistration } = ctx.config;
  const next = readNext(query);
  const model = {
    fields: buildFields({ email: { ...EMAIL, autofocus: true }, password: PASSWORD }, problem),
    problem,
    action: withQuery('/sign-in', next),
    gitHub: withGitHub ? withQuery('/api/auth/github', next) : null,
    register: allowRegistration ? withQuery('/register', next) : null,
    isFresh,
  };
  return { kind: 'page', view: 'account/sign-in', title: 'Sign in', model, width: 'narrow' };
}

export const getSignIn = publicPageRoute({ path: '/sign-in', query: NextQuery }, async (ctx, request) =>
  showForm(ctx, request),
);

export const postSignIn = publicFormRoute(
  { path: '/sign-in', query: NextQuery, form: Form, rateLimit: 'login', redisplay: showForm },
  async (ctx, { form, query, cookies }) => {
    signBrowserIn(ctx, cookies, await logIn(ctx, form));
    return redirect(ownPath(query.next));
  },
);
