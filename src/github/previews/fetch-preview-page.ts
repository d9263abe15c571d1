import type { Context } from '../../context.ts';
import type { FetchResponse } from '../../net/network.ts';
import { FetchError } from '../../net/network.ts';
import { recognizeWall } from '../../net/recognize-wall.ts';
import type { Wall } from '../../net/recognize-wall.ts';
import { followRedirects, redirectTarget } from '../../net/redirects.ts';
import { isOnHost } from '../../pages/page-identity.ts';
import { recognizeErrorPage, pageText } from './page-text.ts';

/** What a request to the URL returned. Redirects on the same host are followed. */
export type PageVisit =
  | { kind: 'page'; html: string; text: string }
  | { kind: 'failure'; status: number; provider: string | null; wall: Wall | null }
  | { kind: 'elsewhere'; host: string; wall: Wall | null }
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

async function follow({ network, userAgent, timeout }: Visitor, start: string): Promise<PageVisit> {
  const look = await followRedirects<PageVisit>(start, MAX_REDIRECTS, async (url) => {
    const response = await network.fetch({ url, userAgent, timeout, maxBytes: MAX_BYTES });
    const next = redirectTarget(response, url);
    if (next === null) return { end: toLook(response, start) };
    return isOnHost(next, start)
      ? { next }
      : { end: { kind: 'elsewhere', host: new URL(next).host, wall: recognizeWall(response, url) } };
  });
  return look ?? { kind: 'silence', message: `${new URL(start).host} redirects endlessly`, refused: false };
}

/** Never throws because of what the server does. */
export async function fetchPage(visitor: Visitor, url: string): Promise<PageVisit> {
  try {
    return await follow(visitor, url);
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return { kind: 'silence', message: error.message, refused: error.failure === 'refused_target' };
  }
}
