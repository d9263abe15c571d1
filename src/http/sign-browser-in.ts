import { rememberBrowser } from '../auth/known-browser.ts';
import type { Session } from '../auth/start-session.ts';
import type { Context } from '../context.ts';
import type { Cookies } from './cookies.ts';

/** Gives the browser its session, and what lets it sign in to this account later whatever others try. */
export function signBrowserIn(ctx: Pick<Context, 'config'>, cookies: Cookies, { user, token }: Session): void {
  cookies.set('session', token);
  knowBrowser(ctx, cookies, user.email);
}

/** Lets the browser sign in to the account whatever others try. */
export function knowBrowser(ctx: Pick<Context, 'config'>, cookies: Cookies, email: string): void {
  cookies.set('browser', rememberBrowser(ctx, cookies.read('browser'), email));
}
