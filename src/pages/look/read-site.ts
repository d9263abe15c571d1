import { settlesWithin } from '../../async/time-limit.ts';
import { describeStatus } from '../../capture/describe-failure.ts';
import { nullIf } from '../../errors.ts';
import { FetchError, followRedirects, redirectTarget, type FetchResponse, type Network } from '../../net/network.ts';
import { recognizeWall } from '../../net/recognize-wall.ts';
import { isBelow, isOnHost, type SiteBase } from '../../net/site-base.ts';
import { nameWall } from '../../suites/site-access/visit-site.ts';
import { collectSitemap } from '../crawl/collect-sitemap.ts';
import { decodeText, isHtmlType, isLikelyPage } from '../crawl/decode-text.ts';
import { createPoliteClient } from '../crawl/polite-client.ts';
import { readHtml, type HtmlFacts } from '../crawl/read-html.ts';
import { readRobots } from '../crawl/robots-file.ts';
import { siteFolder } from '../crawl/visit-levels.ts';
import { pageAddress } from '../page-identity.ts';
import type { SiteFacts } from './site-look.ts';

const ICON_BYTES = 32 * 1024;
const ICON_TIMEOUT_MS = 3000;
const ICON_REDIRECTS = 3;

/** Types by the first bytes of a file, in hex. What a server says about its icon is often wrong. */
const TYPES: [start: string, type: string][] = [
  ['89504e47', 'image/png'],
  ['00000100', 'image/x-icon'],
  ['47494638', 'image/gif'],
  ['ffd8ff', 'image/jpeg'],
];

function typeOf(body: Buffer, claimed: string): string | null {
  const start = body.subarray(0, 4).toString('hex');
  const known = TYPES.find(([each]) => start.startsWith(each));
  if (known !== undefined) return known[1];
  // In an image, an SVG runs no scripts and loads nothing.
  return claimed.startsWith('image/svg+xml') && body.includes('<svg') ? 'image/svg+xml' : null;
}

/** The icon as a data URI. Null: there is none, or it is too large. */
async function readIcon({ fetch }: Pick<Network, 'fetch'>, address: string, userAgent: string): Promise<string | null> {
  const icon = followRedirects<string | null>(address, ICON_REDIRECTS, async (url) => {
    const response = await fetch({ url, userAgent, timeout: ICON_TIMEOUT_MS, maxBytes: ICON_BYTES });
    const next = redirectTarget(response, url);
    if (next !== null) return { next };
    const { status, headers, body, truncated } = response;
    const type = status === 200 && !truncated ? typeOf(body, headers['content-type'] ?? '') : null;
    return { end: type === null ? null : `data:${type};base64,${body.toString('base64')}` };
  });
  return icon.catch(nullIf((error) => error instanceof FetchError));
}

const HOME_TIMEOUT_MS = 8000;
const FILE_TIMEOUT_MS = 4000;
/** For robots.txt and the sitemaps together. */
const FILES_MS = 8000;
const FILES_MOST = 12;
const SITEMAP_MOST = 10_000;
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const FIRST_PAGES = 8;

/** The site can't be read. The message says why in a sentence, and what to do. */
export class UnreadableSite extends Error {}

type Fetching = { network: Pick<Network, 'fetch'>; userAgent: string };

function refuse(response: FetchResponse, url: string): void {
  const wall = recognizeWall(response, url);
  if (wall !== null) {
    throw new UnreadableSite(
      `${new URL(url).host} is behind ${nameWall(wall)}. You can create the suite now, then set up “Access to the site” in its settings and crawl again.`,
    );
  }
  if (redirectTarget(response, url) !== null) return;
  const type = response.headers['content-type'] ?? '';
  if (response.status >= 400) throw new UnreadableSite(`${describeStatus(response.status)}. Check the address.`);
  if (!isHtmlType(type)) throw new UnreadableSite(`The address returns ${type.slice(0, 100)}, not an HTML page.`);
}

async function readHome({ network, userAgent }: Fetching, address: string): Promise<{ url: string; html: string }> {
  try {
    const home = await followRedirects(address, MAX_REDIRECTS, async (url) => {
      const response = await network.fetch({ url, userAgent, timeout: HOME_TIMEOUT_MS, maxBytes: MAX_BYTES });
      refuse(response, url);
      const next = redirectTarget(response, url);
      if (next !== null) return { next };
      return { end: { url, html: decodeText(response.body, response.headers['content-type'] ?? '') } };
    });
    if (home === null) throw new UnreadableSite('The address redirects endlessly.');
    return home;
  } catch (error) {
    if (error instanceof FetchError) throw new UnreadableSite(`${error.message}. Check the address.`, { cause: error });
    throw error;
  }
}

type Files = Pick<SiteFacts, 'sitemap' | 'forbidden'> & { paths: string[] };

const UNKNOWN: Files = { sitemap: null, forbidden: false, paths: [] };

async function readFiles({ network, userAgent }: Fetching, url: string, base: SiteBase): Promise<Files> {
  const options = { userAgent, timeout: FILE_TIMEOUT_MS, maxRequests: FILES_MOST };
  const client = createPoliteClient({ fetch: (request) => network.fetch(request) }, options);
  const robots = await readRobots(client, base.origin, userAgent);
  const { paths, incomplete } = await collectSitemap(client, { base, named: robots.sitemaps, limit: SITEMAP_MOST });
  return {
    sitemap: { addresses: paths.length, partial: incomplete && paths.length > 0 },
    forbidden: !robots.isAllowed(pageAddress(url)?.path ?? '/'),
    paths,
  };
}

/** A slow sitemap must not hold up the rest. */
async function readFilesInTime(fetching: Fetching, url: string, base: SiteBase): Promise<Files> {
  const files = readFiles(fetching, url, base);
  return (await settlesWithin(FILES_MS, files)) ? files : UNKNOWN;
}

function firstPages({ links }: HtmlFacts, paths: string[], url: string, base: SiteBase): string[] {
  const own = links.flatMap((link) => {
    const address = pageAddress(link);
    return address !== null && isBelow(base, address.url) && isLikelyPage(address.path) ? [address.path] : [];
  });
  const home = pageAddress(url)?.path ?? '/';
  return [...new Set([home, ...own, ...paths])].slice(0, FIRST_PAGES);
}

/**
 * What a few requests reveal about a site, within about twenty seconds. Only allowed addresses are requested.
 * @throws UnreadableSite
 */
export async function readSite(fetching: Fetching, address: string): Promise<SiteFacts> {
  const { url, html } = await readHome(fetching, address);
  const facts = readHtml(html, url);
  const moved = isOnHost(url, address) ? null : new URL(url).origin;
  const pathOf = (each: string) => pageAddress(each)?.path ?? '/';
  const base = { origin: new URL(url).origin, path: moved === null ? siteFolder(pathOf(address), pathOf(url)) : '/' };
  const [icon, { sitemap, forbidden, paths }] = await Promise.all([
    readIcon(fetching.network, facts.icon ?? `${new URL(url).origin}/favicon.ico`, fetching.userAgent),
    readFilesInTime(fetching, url, base),
  ]);
  return {
    address: url,
    title: facts.title,
    icon,
    sitemap,
    pages: firstPages(facts, paths, url, base),
    moved,
    forbidden,
  };
}
