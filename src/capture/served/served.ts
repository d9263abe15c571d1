/**
 * What a server returned for a page, by the name of the fact: `document`, `assets`, `certificate`, `addresses`,
 * `last-modified`, headers that identify a deployment. Values are hashes, or the server's own values. Null: it differed
 * between loads.
 */
export type Served = Readonly<Record<string, string | null>>;

/** Maximum length of a server's own values. */
const MOST_SAID = 300;

export const cutFact = (said: string) => said.slice(0, MOST_SAID);

/**
 * The facts that were the same in each load of a page. Null with fewer than two loads, because random parts can't be
 * recognized then.
 */
export function combineServed(loads: readonly Served[]): Served | null {
  const [first] = loads;
  if (first === undefined || loads.length < 2) return null;
  const names = new Set(loads.flatMap((load) => Object.keys(load)));
  return Object.fromEntries(
    [...names].map((name) => [name, loads.every((load) => load[name] === first[name]) ? (first[name] ?? null) : null]),
  );
}

const TIME = /(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?:\.\d{1,9})?|\b1\d{9}(?:\d{3})?\b/g;

/** How long a page took to make is often the same twice, and then another. */
const DURATION = /\b\d{1,9}(?:\.\d{1,9})?\s?(?:ms|milliseconds?|s|secs?|seconds?)\b/g;

/** Parts that belong to one visit, in a tag or in data. */
const OF_VISIT = /csrf|xsrf|nonce|token|session|viewstate|request-?id/;
const VALUE_OF_VISIT = /(?:csrf|xsrf|nonce|token|session|viewstate|request-?id)[^<>,;{}]{0,200}/g;

const withoutVisit = (text: string) =>
  text.replaceAll(/<[^<>]{0,2000}>/g, (tag) => (OF_VISIT.test(tag) ? '' : tag)).replaceAll(VALUE_OF_VISIT, '');

/**
 * Text of a server without the names of the servers in question, without times of day and durations, and without what belongs to one visit:
 * a server that names the host it was asked by says the same under each name.
 */
export function withoutNames(text: string, origins: readonly string[]): string {
  const urls = origins.map((origin) => new URL(origin)).sort((one, other) => other.host.length - one.host.length);
  const plain = text
    .toLowerCase()
    .replaceAll('\\/', '/')
    .replaceAll('%3a', ':')
    .replaceAll('%2f', '/')
    .replaceAll('https://', 'http://');
  const named = urls.reduce((rest, { host, hostname }) => rest.replaceAll(host, '').replaceAll(hostname, ''), plain);
  return withoutVisit(named).replaceAll(TIME, '').replaceAll(DURATION, '');
}

/** Hashes of scripts, style sheets and images, sorted by name. */
export function listAssets(html: string): string[] {
  const tags = html.matchAll(/<(?:script|link|img)\s[^>]{0,2000}/gi);
  const names = [...tags].flatMap(
    ([tag]) => /\s(?:src|href)\s{0,5}=\s{0,5}["']?([^"'\s>]{1,2000})/i.exec(tag)?.[1] ?? [],
  );
  return [...new Set(names)].sort();
}

/** Headers whose names say that they identify a deployment. */
const OF_DEPLOYMENT = /deploy|release|build|revision|commit|version|generation|git|\bsha\b/;

/** A page that was generated just now says nothing about its server. */
const JUST_NOW_MS = 5000;

function readLastModified({ 'last-modified': modified, date }: Record<string, string>): string | null {
  const at = Date.parse(modified ?? '');
  const now = date === undefined ? Date.now() : Date.parse(date);
  return Number.isNaN(at) || Math.abs(now - at) < JUST_NOW_MS ? null : new Date(at).toISOString();
}

/** @param headers names in lower case */
export function readHeaders(headers: Record<string, string>, origins: readonly string[]): Record<string, string> {
  const told = Object.entries(headers)
    .filter(([name]) => OF_DEPLOYMENT.test(name))
    .map(([name, value]): [string, string] => [`header ${name}`, cutFact(withoutNames(value, origins))]);
  const modified = readLastModified(headers);
  return { ...Object.fromEntries(told), ...(modified === null ? {} : { 'last-modified': modified }) };
}
