import type { Context } from '../../context.ts';
import { FetchError, followRedirects, redirectTarget, type FetchResponse } from '../../net/network.ts';
import { recognizeWall, type Wall } from '../../net/recognize-wall.ts';
import { isBelow, isOnHost, type SiteBase } from '../../net/site-base.ts';
import { tellAddress } from '../../text/parse-url.ts';

/** Elements whose content readers do not see. */
const SILENT = /^(script|style|template|noscript|svg)\b/i;

/** A document, and a lower-case copy for finding end tags. */
type Source = { html: string; lower: string };

/** Where the tag that starts at `open` ends. For an element with hidden content, where its end tag ends. */
function endOfTag({ html, lower }: Source, open: number): number {
  const [name] = SILENT.exec(html.slice(open + 1, open + 12)) ?? [];
  const closing = name === undefined ? open : lower.indexOf(`</${name.toLowerCase()}`, open);
  const end = closing === -1 ? -1 : html.indexOf('>', closing);
  return end === -1 ? html.length : end + 1;
}

function endOfMarkup(source: Source, open: number): number {
  if (!source.html.startsWith('<!--', open)) return endOfTag(source, open);
  const end = source.html.indexOf('-->', open);
  return end === -1 ? source.html.length : end + 3;
}

/** Roughly what a reader sees of a document, in one line. The path is left out, because many pages repeat it. */
function pageText(html: string, path: string): string {
  const source = { html, lower: html.toLowerCase() };
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    parts.push(html.slice(at, open === -1 ? undefined : open));
    at = open === -1 ? html.length : endOfMarkup(source, open);
  }
  const text = parts.join(' ').replace(/\s+/g, ' ').trim();
  return path.length > 1 ? text.replaceAll(path, '').replaceAll(encodeURIComponent(path), '') : text;
}

/** A page that a script fills in the browser: almost no text, and a script. */
export function isShell(html: string): boolean {
  return /<script\b/i.test(html) && pageText(html, '').length < 200;
}

/** What preview hosts show where there is no deployment (yet), whatever status they answer. */
const ERROR_PAGES: readonly [RegExp, string][] = [
  [/\bDEPLOYMENT_(NOT_FOUND|NOT_READY\w*|PAUSED|DISABLED|BLOCKED|DELETED)\b/, 'Vercel'],
  [/^(Site not found|Page not found)\b.*Looks like you.ve followed a broken link/, 'Netlify'],
  [/\bThere isn.t a GitHub Pages site here\b/, 'GitHub Pages'],
  [/^(No such app|Application error)\b.*\bHeroku\b/i, 'Heroku'],
  [/\bApplication failed to respond\b/, 'Railway'],
  [/\b(NoSuchBucket|NoSuchWebsiteConfiguration)\b/, 'Amazon S3'],
  [/\bFastly error: unknown domain\b/, 'Fastly'],
  [/\bERR_NGROK_\d+/, 'ngrok'],
  [/\bError 10\d\d\b.*\bCloudflare\b/i, 'Cloudflare'],
];

/** Error pages are short. A longer page may only quote one. */
const MAX_ERROR_PAGE = 2000;

/** The host that this error page comes from. */
function recognizeErrorPage(text: string, headers: Record<string, string>): string | null {
  if (headers['x-vercel-error'] !== undefined) return 'Vercel';
  if (text.length > MAX_ERROR_PAGE) return null;
  return ERROR_PAGES.find(([sign]) => sign.test(text))?.[1] ?? null;
}

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
  return isBelow(base, next) ? null : { kind: 'outside', address: tellAddress(next), wall };
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
