import type { Request, Response } from 'express';
import type { Config } from '../config.ts';
import { readCookie } from './read-cookie.ts';

const COOKIE = 'pixelgate_sign_in';
const TTL_MS = 10 * 60_000;

/** Lax: it must come along when GitHub leads the browser back to us. */
const attributes = (config: Pick<Config, 'publicUrl'>) =>
  ({ httpOnly: true, sameSite: 'lax', path: '/api/auth', secure: config.publicUrl.startsWith('https:') }) as const;

/** What the browser keeps, sealed, while it is away to sign in elsewhere; null: nothing. */
export function readSignInCookie(req: Request): string | null {
  return readCookie(req, COOKIE);
}

export function setSignInCookie(res: Response, config: Pick<Config, 'publicUrl'>, value: string): void {
  res.cookie(COOKIE, value, { ...attributes(config), maxAge: TTL_MS });
}

export function clearSignInCookie(res: Response, config: Pick<Config, 'publicUrl'>): void {
  res.clearCookie(COOKIE, attributes(config));
}
