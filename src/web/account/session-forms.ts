import { z } from 'zod';
import { signOutEverywhere } from '../../auth/change-account.ts';
import {
  addPasskey,
  offerPasskey,
  readPasskeys,
  removePasskey,
  signInWithPasskey,
} from '../../auth/passkeys/change-passkeys.ts';
import { CREDENTIAL_MAX_LENGTH, PASSKEY_NAME_MAX_LENGTH, type Passkey } from '../../auth/passkeys/passkey.ts';
import type { SignedInSession } from '../../auth/sessions/session.ts';
import { endOtherSessions, endSession, endSessionOf, readSessions } from '../../auth/sessions/start-session.ts';
import type { Viewer } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { Id } from '../../http/acts-on.ts';
import { signBrowserIn, type Cookies } from '../../http/cookies.ts';
import { ownPath } from '../../http/own-path.ts';
import { formatCount } from '../../text/format.ts';
import { requiredText } from '../../text/input-words.ts';
import { asking, buildFields } from '../form-field.ts';
import { formRoute, publicFormRoute, redirect, type Reply } from '../web-route.ts';
import { getSignIn, NextQuery } from './sign-in-form.ts';

/** The first that fits. Most browsers also claim to be others, which come later in this list. */
const BROWSERS: readonly [token: string, name: string][] = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['HeadlessChrome/', 'Headless Chrome'],
  ['Chrome/', 'Chrome'],
  ['CriOS/', 'Chrome'],
  ['Safari/', 'Safari'],
];

const SYSTEMS: readonly [token: string, name: string][] = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
];

const find = (list: typeof BROWSERS, agent: string) => list.find(([token]) => agent.includes(token))?.[1] ?? null;

/**
 * A browser and its system from the `User-Agent` header, such as `Firefox on Linux`. For a program its name, such as
 * `curl`.
 */
export function describeAgent(userAgent: string | null): string {
  const agent = userAgent ?? '';
  const browser = find(BROWSERS, agent);
  const system = find(SYSTEMS, agent);
  if (browser !== null) return system === null ? browser : `${browser} on ${system}`;
  const [first = ''] = agent.split(' ');
  const [program = ''] = first.split('/');
  return program === '' ? 'Unknown browser' : program;
}

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

const NAME_FIELD = {
  label: 'Device or password manager',
  required: true,
  note: 'Where the passkey is kept. It is listed under this name.',
  attributes: { maxlength: PASSKEY_NAME_MAX_LENGTH },
};

function passkeyRow(passkey: Passkey) {
  const { id, name } = passkey;
  return {
    ...passkey,
    remove: asking(
      'Remove',
      `Remove the passkey ${name}? You can no longer sign in with it.`,
      `/account/passkeys/${id}/remove`,
      { small: true, button: 'Remove passkey' },
    ),
  };
}

/** The passkeys on the account page. Null: they can't be used here. */
export async function passkeysModel(ctx: Context, viewer: Viewer) {
  const [passkeys, offer] = [await readPasskeys(ctx, viewer), await offerPasskey(ctx, viewer)];
  if (offer === null && passkeys.length === 0) return null;
  return {
    rows: passkeys.map(passkeyRow),
    offer: offer === null ? null : { ...offer, options: JSON.stringify(offer.options) },
    fields: buildFields({ passkeyName: NAME_FIELD }, null),
  };
}

const Answer = { answer: z.string().max(CREDENTIAL_MAX_LENGTH), sealed: z.string().max(1000) };

export const postPasskey = formRoute(
  {
    path: '/account/passkeys',
    form: z.object({ ...Answer, passkeyName: requiredText(PASSKEY_NAME_MAX_LENGTH) }),
  },
  async (ctx, { viewer, form: { passkeyName: name, ...form } }) => {
    await addPasskey(ctx, viewer, { ...form, name });
    return redirect('/account#passkeys', 'Passkey added');
  },
);

export const postRemovePasskey = formRoute(
  { path: '/account/passkeys/:passkeyId/remove', params: z.object({ passkeyId: Id }) },
  async (ctx, { viewer, params }) => {
    await removePasskey(ctx, viewer, params.passkeyId);
    return redirect('/account#passkeys', 'Passkey removed');
  },
);

export const postPasskeySignIn = publicFormRoute(
  {
    path: '/passkey-sign-in',
    query: NextQuery,
    form: z.object(Answer),
    rateLimit: 'passkey-sign-in',
    redisplay: getSignIn.show,
  },
  async (ctx, { form, query, cookies }) => {
    signBrowserIn(ctx, cookies, await signInWithPasskey(ctx, form));
    return redirect(ownPath(query.next));
  },
);
