import { isBelow, restBelow, type SiteBase } from '../../net/site-base.ts';
import { parseUrl, portOf } from '../../text/parse-url.ts';

/**
 * Where a page was loaded from: below `base`, which corresponds to `site`, the suite's own. On the site itself both are
 * equal.
 */
export type Places = { base: SiteBase; site: SiteBase };

/** Placeholders for the base and the origin of the server. No URL and no text of a page contains these characters. */
const BASE = '\u0001base/';
const ORIGIN = '\u0001origin';
/** A placeholder for the suite's own site, if a page only contains its name. */
const NAMED = '\u0001site';

/**
 * An address, a header, or another text with invisible addresses, with placeholders for its server, so that it is equal
 * on the site and its previews.
 */
export function withoutPlace({ base }: Places, text: string): string {
  return text.replaceAll(base.origin + base.path, BASE).replaceAll(base.origin, (found, at: number, whole: string) =>
    // What goes on is the address of another server, such as one at another port.
    /[\w.:@-]/.test(whole[at + found.length] ?? '') ? found : ORIGIN,
  );
}

/** The reverse. */
export function atPlace({ base }: Places, text: string): string {
  return text.replaceAll(BASE, base.origin + base.path).replaceAll(ORIGIN, base.origin);
}

/** A security policy in which hosts that are also the page's own are marked: on another server, they allow something else. */
export function policyAtPlace({ base }: Places, policy: string): string {
  const url = new URL(base.origin);
  const { hostname } = url;
  const ports = [undefined, '*', String(portOf(url))];
  return policy.replaceAll(/[^\s;,"'<>=]{1,2000}/g, (source) => {
    const [, host = '', at] = /^(?:[a-z][a-z\d+.-]{0,30}:\/\/)?([^/:]*)(?::([^/]*))?/.exec(source.toLowerCase()) ?? [];
    const isOwn = host === '*' || host === hostname || (host.startsWith('*.') && hostname.endsWith(host.slice(1)));
    return isOwn && ports.includes(at) ? `${NAMED} ${source}` : source;
  });
}

/** A server that an address names, also one without a scheme, or with the slashes that some templates write. */
const SERVER = /(?:[\\/]{2}|&#x2f;&#x2f;|&#47;&#47;)([^\s\\/"'<>()&?#,;]{1,300})/gi;

/** An address from the root, wherever one may be, also with the slashes that some templates write. */
const FROM_ROOT =
  /((?:["'(=,]|(?<!&#x2f|&#47);)\s{0,9})((?:\/|&#x2f;|&#47;)(?!&#x2f;|&#47;|[\s/>])[^\s"'<>()]{0,4000})/gi;

/** A server as browsers write it: pages may have its name in any alphabet. */
const plainName = (server: string) =>
  /^[\w.:-]*$/.test(server) ? server.toLowerCase() : (parseUrl(`http://${server}`)?.host ?? server);

/** The same after more spaces, as in a list of pictures on several lines. */
const FAR_FROM_ROOT = /(\s{9})(\/[^\s"'<>()/*][^\s"'<>()]*)/g;

const withPlainSlashes = (address: string) => address.replaceAll(/&#x2f;|&#47;/gi, '/');

/**
 * A text in which the addresses below its own base that stayed as they are, are marked: at another place, they belong to
 * another server or folder.
 */
export function markOwnAddresses({ base }: Places, text: string): string {
  const url = new URL(base.origin);
  const own = new Set([url.host, `${url.hostname}:${portOf(url)}`]);
  const mark = (found: string, before: string, address: string) =>
    withPlainSlashes(address).startsWith(base.path) && !address.startsWith('/*') ? before + NAMED + address : found;
  return text
    .replaceAll(SERVER, (found, server: string) => (own.has(plainName(server)) ? NAMED + found : found))
    .replaceAll(FROM_ROOT, mark)
    .replaceAll(FAR_FROM_ROOT, mark);
}

/** The beginning of an address that starts in the folder of its file. */
const UPWARDS = /(?:\.\.(?:[\\/]|&#x2f;|&#47;)){1,50}/gi;

/** A text in which addresses that lead above the base are marked with its path: below another one, they lead elsewhere. */
export function markWaysOut({ base }: Places, url: string, text: string): string {
  if (!isBelow(base, url)) return text;
  const below = restBelow(base.path, new URL(url).pathname) ?? '';
  // An element `base` may make them start anywhere.
  const depth = /<base\s/i.test(text) ? 0 : below.split('/').length - 1;
  return text.replaceAll(UPWARDS, (way) => (way.split('..').length - 1 > depth ? NAMED + base.path + way : way));
}

/** The same in an attribute or in `url()`. In the query of another address, it belongs to that one. */
const OWN_FROM_ROOT = /(^[a-z:]{1,20}=|["'(]|,\s)(\/(?!\/)[^\s"'<>()]{0,4000})/gi;

/** Addresses in an attribute or in `url()`: absolute, or from the root, one or several. */
function addressesWithoutPlace(places: Places, text: string): string {
  const { path } = places.base;
  return withoutPlace(places, text).replaceAll(OWN_FROM_ROOT, (found, before: string, address: string) =>
    address.startsWith(path) ? before + BASE + address.slice(path.length) : found,
  );
}

const TAG = /<[a-z][^<>]{0,5000}>/gi;

const NAMES_POLICY = /content-security-policy/i;

/** A document whose tags have their policies so. */
export const policiesAtPlace = (places: Places, html: string): string =>
  NAMES_POLICY.test(html)
    ? html.replaceAll(TAG, (tag) => (NAMES_POLICY.test(tag) ? policyAtPlace(places, tag) : tag))
    : html;

const ATTRIBUTE = /(?<=[\s"'/])[^\s"'<>/=]{1,100}\s{0,9}=\s{0,9}(?:"[^"]{0,5000}"|'[^']{0,5000}'|[^\s"'>]{1,5000})/g;

/** Other attributes, such as `value` and `alt`, may be visible. */
const ADDRESSES = /^(?:href|src|srcset|imagesrcset|action|formaction|poster|cite|background|xlink:href)=/i;

/** A tag that contains the page's address and draws nothing. */
const NAMES_PLACE =
  /^<link\s(?:.{0,2000}\s)?rel=(["']?)(?:canonical|alternate|shortlink|next|prev)\1[\s/>]|^<meta\s(?:.{0,2000}\s)?(?:property|name)=["']?(?:og|twitter):/is;

/** A tag, or data, that may contain any address and draws nothing by it. */
const DRAWS_NOTHING = /^<(?:meta|script)\s/i;

/** Elements, data and attributes in which tags are shown as text. */
const SHOWS_TAGS =
  /<(?:textarea|xmp|plaintext|listing|noembed)\b|<!\[CDATA\[|=\s{0,9}(?:"[^"<]{0,4000}|'[^'<]{0,4000})<[a-z]/i;

/** Elements that are hidden until a style shows the tags in them. */
const FALLBACK = /<noframes\b/i;
const TAGS_IN_STYLE = /<(?:style|title)\b[^<>]*>[^<]*<[a-z]/i;

export const showsTags = (html: string): boolean =>
  SHOWS_TAGS.test(html) || FALLBACK.test(html) || TAGS_IN_STYLE.test(html);

/** A document with its own addresses marked, unless they draw nothing. */
export const markInDocument = (places: Places, html: string): string =>
  html
    .split(/(?=<)/)
    .map((part) => (DRAWS_NOTHING.test(part) || NAMES_PLACE.test(part) ? part : markOwnAddresses(places, part)))
    .join('');

/** A document with placeholders for its own address, in addresses that are invisible. */
export function documentWithoutPlace(places: Places, html: string): string {
  const { base, site } = places;
  const rename = (tag: string) =>
    tag.replaceAll(base.origin + base.path, `${NAMED}/`).replaceAll(site.origin + site.path, `${NAMED}/`);
  return html.replaceAll(TAG, (tag) =>
    NAMES_PLACE.test(tag)
      ? rename(tag)
      : tag.replaceAll(ATTRIBUTE, (of) => (ADDRESSES.test(of) ? addressesWithoutPlace(places, of) : of)),
  );
}

const STYLE_ADDRESS = /\burl\([^()]{0,4000}\)|@import\s{1,9}(?:"[^"]{0,4000}"|'[^']{0,4000}')/gi;

export function styleWithoutPlace(places: Places, css: string): string {
  return css.replaceAll(STYLE_ADDRESS, (of) => addressesWithoutPlace(places, of));
}
