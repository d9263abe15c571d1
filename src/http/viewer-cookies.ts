import type { Request, Response } from 'express';
import type { Config } from '../config.ts';
import { readCookie } from './read-cookie.ts';

/** What the browser keeps for the pages beside the session; none of it is a secret or is trusted. */
const NOTICE = 'pixelgate_notice';
const THEME = 'pixelgate_theme';
const ZONE = 'pixelgate_zone';

const MINUTE_MS = 60_000;
const YEAR_MS = 365 * 86_400_000;

const attributes = (config: Pick<Config, 'publicUrl'>) =>
  ({ httpOnly: true, sameSite: 'lax', path: '/', secure: config.publicUrl.startsWith('https:') }) as const;

function decoded(text: string | null): string | null {
  if (text === null) return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** What the last action said of itself; shown once. */
export function takeFlashNotice(req: Request, res: Response, config: Pick<Config, 'publicUrl'>): string | null {
  const notice = decoded(readCookie(req, NOTICE));
  if (notice !== null) res.clearCookie(NOTICE, attributes(config));
  return notice;
}

/** A browser drops a cookie of more than 4,096 bytes; a character comes to 12 of them at most. */
const LONGEST_NOTICE = 300;

/** By whole characters: half of one can't be encoded. */
function shortened(notice: string): string {
  const characters = Array.from(notice);
  return characters.length <= LONGEST_NOTICE ? notice : `${characters.slice(0, LONGEST_NOTICE).join('')}…`;
}

export function setFlashNotice(res: Response, config: Pick<Config, 'publicUrl'>, notice: string): void {
  res.cookie(NOTICE, shortened(notice), { ...attributes(config), maxAge: MINUTE_MS });
}

export function readTheme(req: Request): string | null {
  return readCookie(req, THEME);
}

export function setTheme(res: Response, config: Pick<Config, 'publicUrl'>, theme: string): void {
  res.cookie(THEME, theme, { ...attributes(config), maxAge: YEAR_MS });
}

/** The zone that our script found the browser in; null before the first page. */
export function readZone(req: Request): string | null {
  return decoded(readCookie(req, ZONE));
}
