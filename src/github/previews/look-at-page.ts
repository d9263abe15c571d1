import type { Context } from '../../context.ts';
import { FetchError } from '../../net/network.ts';
import { isOnHost } from '../../pages/page-identity.ts';
import { errorPageOf, pageText } from './page-text.ts';

/** What came when an address was asked for, redirects on its own host followed. */
export type Look =
  | { kind: 'page'; html: string; text: string }
  | { kind: 'failure'; status: number; provider: string | null }
  | { kind: 'elsewhere'; host: string }
  | { kind: 'silence'; message: string; refused: boolean };

export type Visitor = { network: Context['network']; userAgent: string; timeout: number };

const MAX_BYTES = 256 * 1024;
const MAX_REDIRECTS = 8;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function targetOf(location: string | undefined, from: string): string | null {
  return location !== undefined && URL.canParse(location, from) ? new URL(location, from).href : null;
}

async function follow({ network, userAgent, timeout }: Visitor, start: string): Promise<Look> {
  let url = start;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const { status, headers, body } = await network.fetch({ url, userAgent, timeout, maxBytes: MAX_BYTES });
    const target = REDIRECTS.has(status) ? targetOf(headers['location'], url) : null;
    if (target === null) {
      const html = body.toString();
      const text = pageText(html, new URL(start).pathname);
      const provider = errorPageOf(text, headers);
      return status >= 300 || provider !== null ? { kind: 'failure', status, provider } : { kind: 'page', html, text };
    }
    if (!isOnHost(target, start)) return { kind: 'elsewhere', host: new URL(target).host };
    url = target;
  }
  return { kind: 'silence', message: `${new URL(start).host} redirects without end`, refused: false };
}

/** Never throws for what the other side does. */
export async function lookAtPage(visitor: Visitor, url: string): Promise<Look> {
  try {
    return await follow(visitor, url);
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return { kind: 'silence', message: error.message, refused: error.failure === 'refused_target' };
  }
}
