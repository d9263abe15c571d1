import { z } from 'zod';
import type { Cookies } from '../../http/cookies.ts';
import type { Reply } from '../reply.ts';
import { formRoute } from '../web-route.ts';

/** Ends the browser's session and clears its cache of our pages. */
export function signOut(cookies: Cookies, notice: string): Reply {
  cookies.clear('session');
  return { kind: 'redirect', to: '/sign-in', notice, clearCache: true };
}

export const postSignOut = formRoute({ path: '/sign-out', form: z.object({}) }, async (_ctx, { cookies }) =>
  signOut(cookies, 'You are signed out'),
);
