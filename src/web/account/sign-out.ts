import { z } from 'zod';
import { endSessionOf } from '../../auth/sessions.ts';
import type { Context } from '../../context.ts';
import type { Cookies } from '../../http/cookies.ts';
import type { Reply } from '../reply.ts';
import { formRoute } from '../web-route.ts';

/** Ends the browser's session and clears its cache of our pages. */
export async function signOut(
  ctx: Pick<Context, 'db' | 'config' | 'clock'>,
  cookies: Cookies,
  notice: string,
): Promise<Reply> {
  await endSessionOf(ctx, cookies.read('session'));
  cookies.clear('session');
  return { kind: 'redirect', to: '/sign-in', notice, clearCache: true };
}

export const postSignOut = formRoute({ path: '/sign-out', form: z.object({}) }, async (ctx, { cookies }) =>
  signOut(ctx, cookies, 'You are signed out'),
);
