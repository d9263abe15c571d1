import { parse } from 'cookie';
import type { Request, Response } from 'express';
import { rememberBrowser } from '../auth/sessions/known-browser.ts';
import type { Session } from '../auth/sessions/start-session.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';

const MINUTE_MS = 60_000;
const YEAR_MS = 365 * 86_400_000;

type CookieConfig = Pick<Config, 'publicUrl' | 'sessionTtl'>;

type Definition = { name: string; path: string; maxAge(config: CookieConfig): number };

/** Every cookie of the service. */
const COOKIES = {
  /** The browser's copy of the session token. */
  session: { name: 'pixelgate_session', path: '/', maxAge: ({ sessionTtl }) => sessionTtl },
  /** Sealed. The browser keeps it while a person signs in at GitHub. */
  signIn: { name: 'pixelgate_sign_in', path: '/api/auth', maxAge: () => 10 * MINUTE_MS },
  /** Signed: which accounts have signed in here before. */
  browser: { name: 'pixelgate_browser', path: '/', maxAge: () => YEAR_MS },
  /** The other three belong to our pages. They are not secret and not trusted. */
  notice: { name: 'pixelgate_notice', path: '/', maxAge: () => MINUTE_MS },
  theme: { name: 'pixelgate_theme', path: '/', maxAge: () => YEAR_MS },
  /** The browser's time zone; `views/static/app.js` sets it, so there is none before the first page. */
  zone: { name: 'pixelgate_zone', path: '/', maxAge: () => YEAR_MS },
} as const satisfies Record<string, Definition>;

type CookieKey = keyof typeof COOKIES;

export const SESSION_COOKIE = COOKIES.session.name;

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** `chosen`: the cookie `theme`. */
export const readTheme = (chosen: string | null): Theme => THEMES.find((theme) => theme === chosen) ?? 'auto';

/** Null: the cookie is missing or empty. */
export function readCookie(req: Request, cookie: CookieKey): string | null {
  const value = parse(req.get('cookie') ?? '')[COOKIES[cookie].name];
  return value === undefined || value === '' ? null : value;
}

/** The cookies of one request and its response. */
export type Cookies = {
  read(cookie: CookieKey): string | null;
  set(cookie: CookieKey, value: string): void;
  clear(cookie: CookieKey): void;
  /** Reads it and clears it. */
  take(cookie: CookieKey): string | null;
};

export function bindCookies(config: CookieConfig, req: Request, res: Response): Cookies {
  // Lax, because the session and the sealed state must be sent when GitHub redirects the browser back here.
  const attributes = { httpOnly: true, sameSite: 'lax', secure: config.publicUrl.startsWith('https:') } as const;
  const clear = (cookie: CookieKey) => {
    const { name, path } = COOKIES[cookie];
    res.clearCookie(name, { ...attributes, path });
  };
  return {
    read: (cookie) => readCookie(req, cookie),
    set(cookie, value) {
      const { name, path, maxAge } = COOKIES[cookie];
      res.cookie(name, value, { ...attributes, path, maxAge: maxAge(config) });
    },
    clear,
    take(cookie) {
      const value = readCookie(req, cookie);
      if (value !== null) clear(cookie);
      return value;
    },
  };
}

/** Gives the browser its session, and a cookie that exempts it from delays when others guess at this account. */
export function signBrowserIn(ctx: Pick<Context, 'config'>, cookies: Cookies, { user, token }: Session): void {
  cookies.set('session', token);
  knowBrowser(ctx, cookies, user.email);
}

/** Exempts the browser from delays when others guess at the account. */
export function knowBrowser(ctx: Pick<Context, 'config'>, cookies: Cookies, email: string): void {
  cookies.set('browser', rememberBrowser(ctx, cookies.read('browser'), email));
}
