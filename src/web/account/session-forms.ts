import { z } from 'zod';
import { signOutEverywhere } from '../../auth/change-account.ts';
import type { SignedInSession } from '../../auth/sessions/session.ts';
import { endOtherSessions, endSession, endSessionOf, readSessions } from '../../auth/sessions/sessions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { Id } from '../../http/acts-on.ts';
import type { Cookies } from '../../http/cookies.ts';
import { formatCount } from '../../text/format.ts';
import { asking } from '../asking.ts';
import { redirect, type Reply } from '../reply.ts';
import { formRoute } from '../web-route.ts';
import { describeAgent } from './describe-agent.ts';

/** Ends the browser's session and clears its cache of our pages. */
async function signOut(
  ctx: Pick<Context, 'db' | 'config' | 'clock'>,
  cookies: Cookies,
  notice: string,
): Promise<Reply> {
  await endSessionOf(ctx, cookies.read('session'));
  cookies.clear('session');
  return { kind: 'redirect', to: '/sign-in', notice, clearCache: true };
}

export const postSignOut = formRoute({ path: '/sign-out' }, async (ctx, { cookies }) =>
  signOut(ctx, cookies, 'You are signed out'),
);

function sessionRow(session: SignedInSession, current: string | undefined) {
  const name = describeAgent(session.userAgent);
  const question = `Sign out ${name}? It will need to sign in again.`;
  const path = `/account/sessions/${session.id}/sign-out`;
  // This browser's own session is ended from the menu.
  return {
    ...session,
    name,
    signOut: session.id === current ? null : asking('Sign out', question, path, { small: true }),
  };
}

export async function sessionsModel(ctx: Context, viewer: Viewer) {
  const { sessions, total } = await readSessions(ctx, viewer);
  const rows = sessions.map((session) => sessionRow(session, viewer.sessionId));
  return {
    rows,
    more: total > rows.length ? `The ${rows.length} most recently used of ${formatCount(total, 'session')}.` : null,
    others:
      viewer.sessionId === undefined || total < 2
        ? null
        : asking(
            'Sign out all others',
            'Sign out every other browser? This one stays signed in, and API tokens keep working.',
            '/account/sessions/sign-out-others',
          ),
    everywhere: asking(
      'Sign out everywhere',
      'All your sessions and your own API tokens stop working immediately. You will need to sign in again.',
      '/account/sign-out-everywhere',
    ),
  };
}

export const postEndSession = formRoute(
  { path: '/account/sessions/:sessionId/sign-out', params: z.object({ sessionId: Id }) },
  async (ctx, { viewer, params }) => {
    await endSession(ctx, viewer, params.sessionId);
    return redirect('/account', 'Session signed out');
  },
);

export const postEndOtherSessions = formRoute(
  { path: '/account/sessions/sign-out-others' },
  async (ctx, { viewer }) => {
    const ended = await endOtherSessions(ctx, viewer);
    return redirect('/account', `Signed out ${formatCount(ended, 'other session')}`);
  },
);

export const postSignOutEverywhere = formRoute(
  { path: '/account/sign-out-everywhere' },
  async (ctx, { viewer, cookies }) => {
    await signOutEverywhere(ctx, viewer);
    return signOut(ctx, cookies, 'You are signed out everywhere');
  },
);
