import { parseSetCookie } from 'set-cookie-parser';
import { parseUrl } from '../text/parse-url.ts';

/** A cookie of one host, sent to that host and to none of its subdomains. */
export type SiteCookie = {
  name: string;
  value: string;
  path: string;
  /** Hidden from the page's own scripts. */
  httpOnly: boolean;
  sameSite: 'Strict' | 'Lax' | 'None';
};

/** Access to a site. It is sent to this origin and to no other. */
export type SentAccess = {
  origin: string;
  /** Names in lower case. */
  headers: { name: string; value: string }[];
  cookies: SiteCookie[];
  localStorage: { name: string; value: string }[];
};

/** The origins for which `isSentTo` is true. */
export function ownOrigins({ origin }: Pick<SentAccess, 'origin'>): URL[] {
  const url = new URL(origin);
  return url.protocol === 'http:' && url.port === '' ? [url, new URL(`https://${url.host}`)] : [url];
}

/**
 * Whether it may be sent to the URL. A site that moves to https on the same host, at the default ports, is the same
 * site.
 */
export function isSentTo(access: Pick<SentAccess, 'origin'>, address: string): boolean {
  const origin = parseUrl(address)?.origin;
  return ownOrigins(access).some((own) => own.origin === origin);
}

/** Of a browser's cookies, those that it sends to the host of this origin. */
export function cookiesOf(origin: string, stored: readonly (SiteCookie & { domain: string })[]): SiteCookie[] {
  const { hostname } = new URL(origin);
  return stored
    .filter(({ domain }) => {
      const bare = domain.replace(/^\./, '').toLowerCase();
      return hostname === bare || (domain.startsWith('.') && hostname.endsWith(`.${bare}`));
    })
    .map(({ name, value, path, httpOnly, sameSite }) => ({ name, value, path, httpOnly, sameSite }));
}

/** The value of the `Cookie` header for this URL. Null: no cookie goes there. */
function cookieHeader(cookies: readonly SiteCookie[], { pathname }: URL): string | null {
  const fits = ({ path }: SiteCookie) =>
    pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
  const sent = cookies.filter(fits).map(({ name, value }) => `${name}=${value}`);
  return sent.length === 0 ? null : sent.join('; ');
}

/** The headers of a request without a browser. Empty for any other origin. */
export function headersFor(access: SentAccess | null, address: string): Record<string, string> {
  if (access === null || !isSentTo(access, address)) return {};
  const cookie = cookieHeader(access.cookies, new URL(address));
  return {
    ...Object.fromEntries(access.headers.map(({ name, value }) => [name, value])),
    ...(cookie === null ? {} : { cookie }),
  };
}

function sameSite(text: string): SiteCookie['sameSite'] {
  switch (text.toLowerCase()) {
    case 'strict':
      return 'Strict';
    case 'none':
      return 'None';
    default:
      return 'Lax';
  }
}

/** The cookies that a response sets. Their domains do not matter: what a response gives goes to the host that sent it. */
export function parseSetCookies(headers: Record<string, string>): SiteCookie[] {
  const lines = (headers['set-cookie'] ?? '').split('\n');
  return parseSetCookie(lines, { decodeValues: false, split: false, silent: true })
    .filter(({ name, value, maxAge }) => name !== '' && value !== '' && (maxAge ?? 1) > 0)
    .map((cookie) => ({
      name: cookie.name,
      value: cookie.value,
      path: cookie.path?.startsWith('/') === true ? cookie.path : '/',
      httpOnly: true,
      sameSite: sameSite(cookie.sameSite ?? ''),
    }));
}
