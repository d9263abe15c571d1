import { followRedirects, redirectTarget } from '../../net/network.ts';
import { parseUrl } from '../../text/parse-url.ts';
import type { PoliteClient } from './polite-client.ts';
import { readRobotsFile } from './robots-file.ts';

/** More than is read of it, because a longer file is no reason not to crawl. */
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const MAX_CRAWL_DELAY_S = 10;

export type RobotsRules = {
  isAllowed(path: string): boolean;
  /** Milliseconds between requests, at most ten seconds. 0: none is requested. */
  crawlDelay: number;
  /** Absolute addresses. */
  sitemaps: string[];
  /** Why the file could not be read. In that case everything is forbidden (RFC 9309 2.3.1.4). */
  unreachable: string | null;
};

/** For a file that sets no rules, or does not exist (RFC 9309 2.3.1.3). */
export const NO_RULES: RobotsRules = { isAllowed: () => true, crawlDelay: 0, sitemaps: [], unreachable: null };

function parseRobots(body: Buffer, origin: string, userAgent: string): RobotsRules {
  const { isAllowed, crawlDelay, sitemaps } = readRobotsFile(body, userAgent);
  return {
    isAllowed,
    crawlDelay: Math.min(Math.max(crawlDelay, 0), MAX_CRAWL_DELAY_S) * 1000,
    sitemaps: sitemaps.flatMap((address) => parseUrl(address, `${origin}/robots.txt`)?.href ?? []),
    unreachable: null,
  };
}

/** Fetches /robots.txt. Follows redirects, even to another host. */
export async function readRobots(client: PoliteClient, origin: string, userAgent: string): Promise<RobotsRules> {
  const rules = await followRedirects<RobotsRules>(`${origin}/robots.txt`, MAX_REDIRECTS, async (url) => {
    const reply = await client.get(url, { maxBytes: MAX_BYTES });
    if (reply.kind === 'unavailable') {
      return { end: { ...NO_RULES, isAllowed: () => false, unreachable: reply.reason } };
    }
    const { status, body } = reply.response;
    if (status >= 200 && status < 300) return { end: parseRobots(body, origin, userAgent) };
    const next = redirectTarget(reply.response, url);
    return next === null ? { end: NO_RULES } : { next };
  });
  return rules ?? NO_RULES;
}
