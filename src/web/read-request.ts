import type { Request } from 'express';
import { ownPath } from '../http/own-path.ts';
import { parseUrl } from '../text/parse-url.ts';

/** htmx requests a fragment for a page that is already open. */
export function isHtmxRequest(req: Request): boolean {
  return req.get('hx-request') === 'true';
}

/**
 * True if the person opens this URL on purpose: the request comes from no other site's page, and is no prefetch. The
 * browser itself sets `Sec-Fetch-Site`. Programs don't send it, but they don't follow another site's links by
 * themselves either.
 */
export function isDeliberateVisit(req: Request): boolean {
  const site = req.get('sec-fetch-site') ?? 'none';
  const isOwn = site === 'none' || site === 'same-origin';
  return isOwn && req.method !== 'HEAD' && req.get('sec-purpose') === undefined;
}

/** The path and query of a URL on any host. */
function parsePath(address: string | undefined): string {
  const url = address === undefined ? null : parseUrl(address);
  return url === null ? '/' : ownPath(url.pathname + url.search);
}

/** The page to return to. For a fragment or a form, that is the page that contains it. */
export function readPageAddress(req: Request): string {
  if (isHtmxRequest(req)) return parsePath(req.get('hx-current-url'));
  return req.method === 'POST' ? parsePath(req.get('referer')) : req.originalUrl;
}
