import type { SiteBase } from '../../net/site-base.ts';

/** Where a page was loaded from: below `base`, which stands for `site`, the suite's own. On the site itself both are the same. */
export type Places = { base: SiteBase; site: SiteBase };

/** Stand for the base and for the origin of the server in question. No URL and no text of a page has these characters. */
const BASE = '\u0001base/';
const ORIGIN = '\u0001origin';
/** The suite's own site where a page only tells its name. */
const NAMED = '\u0001site';

/** An absolute address without the name of its server, so that it is the same at each place of the site. */
export function withoutPlace({ base }: Places, url: string): string {
  const below = base.origin + base.path;
  if (url.startsWith(below)) return BASE + url.slice(below.length);
  const rest = url.slice(base.origin.length);
  return url.startsWith(base.origin) && (rest === '' || /^[/?#]/.test(rest)) ? ORIGIN + rest : url;
}

/** The other way round. */
export function atPlace({ base }: Places, address: string): string {
  if (address.startsWith(BASE)) return base.origin + base.path + address.slice(BASE.length);
  return address.startsWith(ORIGIN) ? base.origin + address.slice(ORIGIN.length) : address;
}

const TAG = /<(?:link|meta)\s[^<>]{0,3000}>/gi;

/** A tag that tells where a page is and draws nothing, wherever that is. */
const NAMES_PLACE = /\srel=["']?(?:canonical|alternate|shortlink)\b|\s(?:property|name)=["']?(?:og|twitter):/i;

/**
 * Text of a server with the same words for its own place at each place: addresses below its base, and what stands in
 * quotes, brackets or lists from the root.
 */
export function textWithoutPlace({ base, site }: Places, text: string): string {
  const rename = (tag: string) =>
    tag.replaceAll(base.origin + base.path, `${NAMED}/`).replaceAll(site.origin + site.path, `${NAMED}/`);
  const named = text.replaceAll(TAG, (tag) => (NAMES_PLACE.test(tag) ? rename(tag) : tag));
  const absolute = named.replaceAll(base.origin + base.path, BASE).replaceAll(base.origin, ORIGIN);
  if (base.path === '/' && site.path === '/') return absolute;
  return ['="', "='", '("', "('", '(', '=', ', '].reduce(
    (rest, before) => rest.replaceAll(before + base.path, before + BASE),
    absolute,
  );
}
