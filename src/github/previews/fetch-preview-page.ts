import type { Context } from '../../context.ts';
import { FetchError, type FetchResponse } from '../../net/network.ts';
import { recognizeWall, type Wall } from '../../net/recognize-wall.ts';
import { followRedirects, redirectTarget } from '../../net/redirects.ts';
import { isOnHost } from '../../net/same-host.ts';
import { isBelow, type SiteBase } from '../../net/site-base.ts';
import { pageText, recognizeErrorPage } from './page-text.ts';

/** What a request to the URL returned. Redirects within the site are followed. */
export type PageVisit =
  | { kind: 'page'; html: string; text: string }
  | { kind: 'failure'; status: number; provider: string | null; wall: Wall | null }
  | { kind: 'elsewhere'; host: string; wall: Wall | null }
  | { kind: 'outside'; address: string; wall: Wall | null }
  | { kind: 'silence'; message: string; refused: boolean };

export type Visitor = { network: Pick<Context['network'], 'fetch'>; userAgent: string; timeout: number };

const MAX_BYTES = 256 * 1024;
const MAX_REDIRECTS = 8;

function toLook(response: FetchResponse, start: string): PageVisit {
  const { status, headers, body } = response;
  const html = body.toString();
  const text = pageText(html, new URL(start).pathname);
  const provider = recognizeErrorPage(text, headers);
  const wall = recognizeWall(response, start);
  return status >= 300 || provider !== null || wall !== null
    ? { kind: 'failure', status, provider, wall }
    : { kind: 'page', html, text };
}

/** Where a redirect left the site. Null: it stayed on the site. */
function findStrayed(response: FetchResponse, from: string, next: string, base: SiteBase): PageVisit | null {
  const wall = recognizeWall(response, from);
  if (!isOnHost(next, from)) return { kind: 'elsewhere', host: new URL(next).host, wall };
  return isBelow(base, next) ? null : { kind: 'outside', address: next, wall };
}

async function follow({ network, userAgent, timeout }: Visitor, start: string, base: SiteBase): Promise<PageVisit> {
  const look = await followRedirects<PageVisit>(start, MAX_REDIRECTS, async (url) => {
    const response = await network.fetch({ url, userAgent, timeout, maxBytes: MAX_BYTES });
    const next = redirectTarget(response, url);
    if (next === null) return { end: toLook(response, start) };
    const strayed = findStrayed(response, url, next, base);
    return strayed === null ? { next } : { end: strayed };
  });
  return look ?? { kind: 'silence', message: `${new URL(start).host} redirects endlessly`, refused: false };
}

/** A page of the site at `base`. Never throws because of what the server does. */
export async function fetchPage(visitor: Visitor, url: string, base: SiteBase): Promise<PageVisit> {
  try {
    return await follow(visitor, url, base);
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return { kind: 'silence', message: error.message, refused: error.failure === 'refused_target' };
  }
}
