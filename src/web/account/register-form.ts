import { z } from 'zod';
import { hasUsers } from '../../auth/find-account.ts';
import { register } from '../../auth/register.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { ownPath } from '../../http/own-path.ts';
import { signBrowserIn } from '../../http/sign-browser-in.ts';
import { buildFields } from '../form-field.ts';
import { withQuery } from '../pager.ts';
import type { Problem } from '../problem.ts';
import { redirect, type Reply } from '../reply.ts';
import { publicFormRoute, publicPageRoute, type WebRequest } from '../web-route.ts';
import { EMAIL, NAME, NEW_PASSWORD, NextQuery, otherWays, readNext, showPasswordsOff } from './sign-in-form.ts';

const Form = z.object({ name: z.string(), email: z.string(), password: z.string() });

async function showForm(
  ctx: Context,
  { viewer, query }: WebRequest<unknown, z.output<typeof NextQuery>, Viewer | null>,
  problem: Problem | null,
): Promise<Reply> {
  if (viewer !== null && problem === null) return redirect(ownPath(query.next));
  const next = readNext(query);
  const signIn = withQuery('/sign-in', next);
  const page = { kind: 'page', title: 'Create an account', width: 'narrow' } as const;
  if (!ctx.config.passwordSignIn) return showPasswordsOff(page.title, next);
  if (!ctx.config.allowRegistration) {
    return { ...page, view: 'account/registration-closed', model: { signIn }, status: 403 };
  }
  const [ways, isFresh] = await Promise.all([otherWays(ctx, next), hasUsers(ctx).then((has) => !has)]);
  const fields = buildFields({ name: { ...NAME, autofocus: true }, email: EMAIL, password: NEW_PASSWORD }, problem);
  const model = { fields, problem, action: withQuery('/register', next), signIn, ways, isFresh };
  return { ...page, view: 'account/register', model };
}

export const getRegister = publicPageRoute({ path: '/register', query: NextQuery }, showForm);

export const postRegister = publicFormRoute(
  { path: '/register', query: NextQuery, form: Form, rateLimit: 'register', redisplay: getRegister.show },
  async (ctx, { form, query, cookies }) => {
    signBrowserIn(ctx, cookies, await register(ctx, form));
    return redirect(ownPath(query.next), 'Welcome to Pixelgate');
  },
);
