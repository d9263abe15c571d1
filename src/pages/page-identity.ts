import { normalizeEncoding } from '../net/site-base.ts';
import { parseUrl } from '../text/parse-url.ts';

/**
 * `url` is the normalized address. `path`, pathname plus search, identifies the page on every host (docs/rules.md,
 * Pages).
 */
export type PageAddress = { url: string; path: string };

/** In characters: an index on (suite, path, viewport) holds this easily. A longer path is a trap, not a page. */
export const PATH_MAX_LENGTH = 2048;

const TRACKING_PREFIXES = ['utm_', 'hsa_', 'mtm_', 'pk_', 'piwik_', 'matomo_', '_hs', '__hs'];
const TRACKING_NAMES = new Set(
  (
    'gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid _ga _gl fbclid igshid igsh msclkid mc_cid mc_eid yclid ysclid ' +
    'twclid ttclid li_fat_id rdt_cid epik s_kwcid ef_id mkt_tok hsctatracking vero_id vero_conv wickedid oly_enc_id oly_anon_id ' +
    '_openstat _branch_match_id _kx s_cid cvid sc_cid irclickid dm_i ml_subscriber ml_subscriber_hash _bta_c _bta_tid'
  ).split(' '),
);

/** A site that starts a new session for each request has another address for each of its pages each time. */
const SESSION = /^(?:jsessionid=|phpsessid=|sid=[0-9a-f]{32}$)/;

function isLeftOut(parameter: string): boolean {
  const lower = normalizeEncoding(parameter).toLowerCase();
  const [name = ''] = lower.split('=', 1);
  if (SESSION.test(lower) || TRACKING_NAMES.has(name)) return true;
  return TRACKING_PREFIXES.some((prefix) => name.startsWith(prefix));
}

/** Servers for Java append the session to the last segment: `/cart;jsessionid=…`. */
function withoutSession(path: string): string {
  const last = path.lastIndexOf('/') + 1;
  const [name = '', ...parameters] = path.slice(last).split(';');
  const kept = parameters.filter((parameter) => !SESSION.test(parameter.toLowerCase()));
  return path.slice(0, last) + [name, ...kept].join(';');
}

/** Keeps the order of the parameters, because it matters to some sites. */
function normalizeSearch(search: string): string {
  if (search === '') return '';
  const kept = search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !isLeftOut(parameter));
  return kept.length === 0 ? '' : `?${normalizeEncoding(kept.join('&'))}`;
}

/**
 * One spelling for each page: host in lower case; no default port, fragment, credentials, tracking parameters or
 * sessions; dot segments resolved; percent-encoding normalized. Null for anything but http(s), and for a path of more than
 * `PATH_MAX_LENGTH` characters.
 * @param base of a relative address
 */
export function pageAddress(text: string, base?: string): PageAddress | null {
  const url = parseUrl(text, base);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  // What is left may be a dot segment, which only now counts as one.
  url.pathname = withoutSession(normalizeEncoding(url.pathname));
  const path = url.pathname + normalizeSearch(url.search);
  return path.length > PATH_MAX_LENGTH ? null : { url: url.origin + path, path };
}

/** The address of the page on the suite's own site: on the origin of `baseUrl`. */
export function pageUrl(baseUrl: string, path: string): string {
  // Joined as text, because the URL parser would take the start of a path like //x/y for another host.
  return new URL(baseUrl).origin + path;
}
