import type { Request } from 'express';
import { ownPath } from '../http/own-path.ts';

/** htmx asks for a fragment of a page that is open. */
export function isHtmxRequest(req: Request): boolean {
  return req.get('hx-request') === 'true' && req.get('hx-history-restore-request') !== 'true';
}

/**
 * The person opens this address on purpose: no other site's page sent them here, and the browser does not just prefetch.
 * `Sec-Fetch-Site` comes from the browser itself; programs send none, and follow no link of another site by themselves.
 */
export function isDeliberateVisit(req: Request): boolean {
  const site = req.get('sec-fetch-site') ?? 'none';
  const isOwn = site === 'none' || site === 'same-origin';
  return isOwn && req.method !== 'HEAD' && req.get('sec-purpose') === undefined;
}

/** Path and query of an address on whatever host. */
function parsePath(address: string | undefined): string {
  if (address === undefined || !URL.canParse(address)) return '/';
  const { pathname, search } = new URL(address);
  return ownPath(pathname + search);
}

/** The page to return to. For a fragment or a form, that is the page that contains it. */
export function readPageAddress(req: Request): string {
  if (isHtmxRequest(req)) return parsePath(req.get('hx-current-url'));
  return req.method === 'POST' ? parsePath(req.get('referer')) : req.originalUrl;
}
