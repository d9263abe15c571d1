/** Where a page is (`url`, normalised) and what it is known by on every host: pathname plus search (spec 2.4). */
export type PageAddress = { url: string; path: string };

/** Characters that an index on (suite, path, viewport) can hold with room to spare. A longer path is a trap, not a page. */
export const PATH_MAX_LENGTH = 2048;

const TRACKING_PREFIXES = ['utm_', 'hsa_', 'mtm_', 'pk_', 'piwik_', 'matomo_', '_hs', '__hs'];
const TRACKING_NAMES = new Set(
  (
    'gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid _ga _gl fbclid igshid igsh msclkid mc_cid mc_eid yclid ysclid ' +
    'twclid ttclid li_fat_id rdt_cid epik s_kwcid ef_id mkt_tok hsctatracking vero_id vero_conv wickedid oly_enc_id oly_anon_id ' +
    '_openstat _branch_match_id _kx s_cid cvid sc_cid irclickid dm_i ml_subscriber ml_subscriber_hash _bta_c _bta_tid'
  ).split(' '),
);

const UNRESERVED = /^[A-Za-z0-9\-._~]$/;

/** RFC 3986 6.2.2: what needs no encoding is plain, what stays encoded has capital digits. */
function normaliseEncoding(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return UNRESERVED.test(character) ? character : encoded.toUpperCase();
  });
}

function isTracking(parameter: string): boolean {
  const [name = ''] = parameter.split('=', 1);
  const lower = normaliseEncoding(name).toLowerCase();
  return TRACKING_NAMES.has(lower) || TRACKING_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

/** The order of parameters is kept: to some sites it means something. */
function normaliseSearch(search: string): string {
  if (search === '') return '';
  const kept = search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !isTracking(parameter));
  return kept.length === 0 ? '' : `?${normaliseEncoding(kept.join('&'))}`;
}

function parse(text: string, base: string | undefined): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/**
 * One spelling for one page: host in lower case, default port, fragment, credentials and tracking parameters gone, dots
 * resolved, percent-encoding normalised. Null for anything but http(s), and for a path of more than `PATH_MAX_LENGTH` characters.
 */
export function pageAddress(text: string, base?: string): PageAddress | null {
  const url = parse(text, base);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  const path = normaliseEncoding(url.pathname) + normaliseSearch(url.search);
  return path.length > PATH_MAX_LENGTH ? null : { url: url.origin + path, path };
}

/** The page on another origin: a preview deployment, or the suite's own. */
export function pageUrl(baseUrl: string, path: string): string {
  // Joined as text: to the URL parser a path like //x/y would be another host.
  return new URL(baseUrl).origin + path;
}

const hostWithPort = (url: URL): string => `${url.hostname.replace(/\.$/, '')}:${url.port}`;

/** http and https on their own ports are the same host; www. and another port are not. */
export function isOnHost(url: string, baseUrl: string): boolean {
  return hostWithPort(new URL(url)) === hostWithPort(new URL(baseUrl));
}
