import { rememberBrowser } from '../auth/sessions/known-browser.ts';
import type { Session } from '../auth/sessions/start-session.ts';
import type { Context } from '../context.ts';
import type { Cookies } from './cookies.ts';

/** Gives the browser its session, and a cookie that exempts it from delays when others guess at this account. */
export function signBrowserIn(ctx: Pick<Context, 'config'>, cookies: Cookies, { user, token }: Session): void {
  cookies.set('session', token);
  knowBrowser(ctx, cookies, user.email);
}

/** Exempts the browser from delays when others guess at the account. */
export function knowBrowser(ctx: Pick<Context, 'config'>, cookies: Cookies, email: string): void {
  cookies.set('browser', rememberBrowser(ctx, cookies.read('browser'), email));
}
