import type { Request } from 'express';
import { ownPath } from '../http/own-path.ts';

/** htmx asks for a part of a page that is open. */
export function asksForPart(req: Request): boolean {
  return req.get('hx-request') === 'true' && req.get('hx-history-restore-request') !== 'true';
}

/**
 * The person meant to open this address now: neither another site's page nor a look ahead (HEAD, prefetch) asks for it.
 * `Sec-Fetch-Site` is the browser's own word; programs, which send none, follow no link of somebody else's.
 */
export function isMeant(req: Request): boolean {
  const site = req.get('sec-fetch-site') ?? 'none';
  const isOwn = site === 'none' || site === 'same-origin';
  return isOwn && req.method !== 'HEAD' && req.get('sec-purpose') === undefined;
}

/** Path and query of an address on whatever host. */
function pathOf(address: string | undefined): string {
  if (address === undefined || !URL.canParse(address)) return '/';
  const { pathname, search } = new URL(address);
  return ownPath(pathname + search);
}

/** The page to come back to: for a part and for a form it is the one that they are on. */
export function pageAddressOf(req: Request): string {
  if (asksForPart(req)) return pathOf(req.get('hx-current-url'));
  return req.method === 'POST' ? pathOf(req.get('referer')) : req.originalUrl;
}
