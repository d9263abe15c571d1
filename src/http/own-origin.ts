import type { Request, RequestHandler } from 'express';
import { forbidden } from '../errors.ts';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

function hostOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host : null;
}

/**
 * `Sec-Fetch-Site` is the browser's own word. A browser that sends none (plain http on a LAN) still sends `Origin` with
 * what changes anything, and that must be the public address or the host it was sent to. Neither header: no browser
 * sent it, so there is no other site that could have made it do so.
 */
function isOwnOrigin(req: Request, publicOrigin: string): boolean {
  const site = req.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = req.get('origin');
  if (origin === undefined) return true;
  return origin === publicOrigin || hostOf(origin) === req.get('host');
}

const foreignOrigin = () => forbidden('This request came from another site', 'foreign_origin');

/** Refuses what another site makes a signed-in browser send (contract 4). A Bearer token can't be sent that way. */
export function ownOriginOnly(publicUrl: string): RequestHandler {
  const publicOrigin = new URL(publicUrl).origin;
  return (req, res, next) => {
    if (READS.has(req.method) || !res.locals.session.cookie || isOwnOrigin(req, publicOrigin)) {
      next();
      return;
    }
    next(foreignOrigin());
  };
}

/** The same for the forms of our pages, signed in or not: nobody else's page signs a browser in or out here. */
export function ownFormsOnly(publicUrl: string): RequestHandler {
  const publicOrigin = new URL(publicUrl).origin;
  return (req, _res, next) => {
    if (isOwnOrigin(req, publicOrigin)) next();
    else next(foreignOrigin());
  };
}
