import type { Request, RequestHandler } from 'express';
import { forbidden } from '../errors.ts';
import { parseUrl } from '../text/parse-url.ts';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

const parseHost = (url: string): string | null => parseUrl(url)?.host ?? null;

/**
 * `Sec-Fetch-Site` is set by the browser itself. A browser that does not send it (plain http on a LAN) still sends
 * `Origin` with every request that changes something. That must be the public URL or the host of the request. If both
 * headers are missing, no browser sent the request, so no other site can have caused it.
 */
function isOwnOrigin(req: Request, publicOrigin: string): boolean {
  const site = req.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = req.get('origin');
  if (origin === undefined) return true;
  return origin === publicOrigin || parseHost(origin) === req.host;
}

/** Rejects forms of our pages that another site makes a browser send. No program sends them, whatever its token. */
export function ownFormsOnly(publicUrl: string): RequestHandler {
  const publicOrigin = new URL(publicUrl).origin;
  return (req, _res, next) => {
    if (isOwnOrigin(req, publicOrigin)) next();
    else next(forbidden('This request came from another site', 'foreign_origin'));
  };
}

/**
 * The same for all other requests that change something (docs/rules.md, Who may do what), also without a session: no
 * other site may sign a browser in or out. No other site can make a browser send a Bearer token.
 */
export function ownOriginOnly(publicUrl: string): RequestHandler {
  const refuseForeign = ownFormsOnly(publicUrl);
  return (req, res, next) => {
    if (READS.has(req.method) || res.locals.session.bearer) next();
    else void refuseForeign(req, res, next);
  };
}
