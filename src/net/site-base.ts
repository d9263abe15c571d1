import { parseUrl, withoutSlash } from '../text/parse-url.ts';

const UNRESERVED = /^[A-Za-z0-9\-._~]$/;

const HEX_DIGITS = '0123456789abcdefABCDEF';

/**
 * Whether a stray percent sign precedes this position. Together with the decoded character it would encode something.
 */
function isAfterStray(text: string, at: number): boolean {
  if (text[at - 1] === '%') return true;
  return text[at - 2] === '%' && HEX_DIGITS.includes(text[at - 1] ?? ' ');
}

/** RFC 3986 6.2.2: decodes what needs no encoding, and capitalizes the hex digits of what stays encoded. */
export function normalizeEncoding(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%[0-9a-f]{2}/gi, (encoded, at: number) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return UNRESERVED.test(character) && !isAfterStray(text, at) ? character : encoded.toUpperCase();
  });
}

const hostWithPort = (url: URL): string => `${url.hostname.replace(/\.$/, '')}:${url.port}`;

/** http and https on their default ports count as the same host. `www.` or another port makes it a different host. */
export function isOnHost(url: string, baseUrl: string): boolean {
  return hostWithPort(new URL(url)) === hostWithPort(new URL(baseUrl));
}

/** Where a site begins: its origin, and a path with a slash at both ends. What is below it is the site. */
export type SiteBase = { origin: string; path: string };

/** Other names with a dot, such as `v1.2`, are folders. */
const FILE = /\.(html?|xhtml|php|aspx?|jsp)$/i;

/** The base that an address stands for: `/docs/` of `/docs`, `/docs/` and `/docs/index.html`. Query and fragment are left out. */
export function siteBase(url: string): SiteBase {
  const { origin, pathname } = new URL(url);
  const path = normalizeEncoding(pathname);
  const folder = FILE.test(path) ? path.slice(0, path.lastIndexOf('/')) : path;
  return { origin, path: `${withoutSlash(folder)}/` };
}

/** A base without its scheme and last slash, for messages and comparisons: `site.example/pr-7`. */
export function nameBase(url: string): string {
  const { origin, path } = siteBase(url);
  return withoutSlash(new URL(origin).host + path);
}

/**
 * What follows the base's path; null outside of it. The base without its last slash is the base itself. It also runs in
 * pages, as source text, so it uses nothing else of this file.
 */
export function restBelow(base: string, path: string): string | null {
  if (path.startsWith(base)) return path.slice(base.length);
  const bare = base.slice(0, -1);
  if (bare === '' || !path.startsWith(bare)) return null;
  const rest = path.slice(bare.length);
  return rest === '' || rest.startsWith('?') || rest.startsWith('#') ? rest : null;
}

export const isSameBase = (one: SiteBase, other: SiteBase): boolean =>
  one.path === other.path && isOnHost(one.origin, other.origin);

/** Whether an address is at the base or below it. */
export function isBelow(base: SiteBase, url: string): boolean {
  return isOnHost(url, base.origin) && restBelow(base.path, normalizeEncoding(new URL(url).pathname)) !== null;
}

/**
 * Where a page of the site is at another base: what follows the site's base in its path, below that base. Joined as text,
 * because the URL parser would take the start of a path like //x/y for another host.
 * @returns null for a page outside of the site's base
 */
export function addressAt(base: SiteBase, site: SiteBase, path: string): string | null {
  const rest = restBelow(site.path, path);
  return rest === null ? null : base.origin + base.path + rest;
}

/**
 * Rewrites an address in a page, absolute or from the root, from another base to that of the site. Other addresses are
 * returned as they are.
 */
export function addressOnSite(base: SiteBase, site: SiteBase, address: string): string {
  const [host = ''] = /^(?:https?:)?\/\/[^/?#]*/i.exec(address) ?? [];
  const url = parseUrl(host, base.origin);
  if (host !== '' && (url === null || !isOnHost(url.href, base.origin))) return address;
  const rest = restBelow(base.path, address.slice(host.length));
  return rest === null ? address : (host === '' ? '' : site.origin) + site.path + rest;
}
