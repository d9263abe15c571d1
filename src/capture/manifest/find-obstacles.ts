import { isText, unknownHeaders, type Served } from './exchange.ts';

/** Kinds of requests that only scripts make, or that have no response to compare. */
const KINDS = new Set(['document', 'stylesheet', 'image', 'font', 'other', 'manifest']);

/** Why requests of these kinds forbid a proof, whatever the response. */
export const findObstacleKinds = (kinds: readonly string[]): string[] =>
  [...new Set(kinds)].filter((kind) => !KINDS.has(kind)).map((kind) => `a request of kind ${kind}`);

/** Response headers for which another response may differ, or look different elsewhere, or the page navigates. */
const HEADERS = [
  'set-cookie',
  'refresh',
  'accept-ch',
  'critical-ch',
  'clear-site-data',
  'use-as-dictionary',
  'origin-trial',
];

/**
 * Scripts of these types are data and don't run. Attributes before the type are quoted, so the type belongs to the tag
 * itself.
 */
const SCRIPT =
  /<script\b(?!(?:\s{1,9}(?!type=)[\w-]{1,50}="[^"<>]{0,500}"){0,9}\s{1,9}type="application\/(?:ld\+)?json"[\s>])/i;

/** The beginnings of the names of all handlers, because words such as `only =` also occur in texts. */
const HANDLER =
  /[\s"'/]on(?:abort|after|animation|auxclick|before|blur|cancel|canplay|change|click|close|command|content|context|copy|cue|cut|dblclick|drag|drop|duration|emptied|ended|error|focus|formdata|freeze|gotpointer|hashchange|input|invalid|key|language|load|lostpointer|message|mouse|offline|online|page|paste|pause|play|pointer|popstate|progress|promise|ratechange|ready|rejection|reset|resize|resume|scroll|search|security|seek|select|slot|snap|stalled|storage|submit|suspend|timeupdate|toggle|touch|transition|unhandled|unload|visibility|volume|waiting|webkit|wheel)[a-z]{0,30}\s{0,20}=/i;

/** Elements that scripts, time or other programs draw. */
const ELEMENTS: [RegExp, string][] = [
  [SCRIPT, 'scripts'],
  [HANDLER, 'handlers in attributes'],
  [/javascript\s{0,9}:/i, 'javascript: addresses'],
  [
    /<meta\b[^<>]{0,2000}http-equiv\s{0,9}=(?!["']?(?:content-type|x-ua-compatible|content-language|content-security-policy|default-style)\b)/i,
    'a meta tag that acts',
  ],
  [/\scharset=(?!["']?utf-?8)/i, 'another encoding than UTF-8'],
  [/<(?:video|audio|object|embed|applet|portal|fencedframe|geolocation|permission)\b/i, 'embedded media'],
  [/<(?:animate|animatemotion|animatetransform|set|marquee)\b/i, 'animations'],
];

const CHANCE = /(?<![\w.-])random(?:-item)?\(/i;
/** Styles that print an address, or depend on it. */
const SHOWS =
  /(?:attr\(|\[)\s{0,9}(?:[\w*-]{0,20}\|)?(?:href|src|srcset|imagesrcset|action|formaction|poster|cite|background)\s{0,9}[~|^$*=,)\s]/i;
/** The same with the other values that are left out of the comparison. */
const SHOWS_VALUES = /(?:attr\(|\[)[\s|*]*(?:content|value)[~|^$*=,)\s]/i;
/** A comment or an escape may hide which of them it is. */
const SHOWS_ANY = /(?:attr\(|(?:^|[^\\])\[)[\w\s|*-]*(?:\/\*|\\)/i;
/** A string of a style sheet with an address, which looks like one that is loaded. */
const SHOWS_TEXT = /["'][^"'\n(){};]*url\(/i;

const showsValues = ({ kind }: Served, text: string): boolean =>
  SHOWS.test(text) ||
  SHOWS_VALUES.test(text) ||
  SHOWS_ANY.test(text) ||
  (kind === 'stylesheet' && SHOWS_TEXT.test(text));

const CHECKSUM = /\sintegrity\s{0,9}=/i;
const INLINE = /<style\b|[\s"'/]style\s{0,9}=/i;

/** An SVG image may move on its own. */
const MOVES = /<(?:animate|animatemotion|animatetransform|set)\b|@keyframes|@-webkit-keyframes/i;

const charsetOf = (type: string | undefined) =>
  /charset\s{0,5}=\s{0,5}["']?([\w-]{1,40})/i.exec(type ?? '')?.[1]?.toLowerCase();

const META_CHARSET = /<meta\b[^<>]{0,200}charset\s{0,5}=\s{0,5}["']?\s{0,5}utf-?8\b/i;

const BEYOND_ASCII = /[^\t\n\f\r\x20-\x7e]/;

/** A style sheet or an image may name its own encoding. */
const OWN_CHARSET = /^(?:@charset "|<\?xml\s[^<>]{0,100}\sencoding\s{0,5}=\s{0,5}["'])([\w-]{1,40})/i;

const ownCharset = (text: string) => OWN_CHARSET.exec(text)?.[1]?.toLowerCase();

const isUtf8 = (charset: string | undefined) => charset === 'utf-8' || charset === 'utf8';

/** Whether the browser reads the text as UTF-8, or the encoding makes no difference. */
function isPlain({ answered, kind }: Served, text: string, othersAreUtf8: boolean): boolean {
  const charset = charsetOf(answered['content-type']);
  if (!BEYOND_ASCII.test(text))
    return charset === undefined || isUtf8(charset) || /^(?:us-ascii|iso-8859-|windows-125)/.test(charset);
  if (charset !== undefined) return isUtf8(charset);
  // In a comment, the browser does not see it. All bytes that are not UTF-8 are equal here.
  if (kind === 'document') return META_CHARSET.test(text.slice(0, 1024)) && !text.includes('\uFFFD');
  const own = ownCharset(text);
  return own === undefined ? othersAreUtf8 : isUtf8(own);
}

function* ofDocument({ answered, status }: Served, text: string): Generator<string> {
  const type = (answered['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'text/html') yield `a document of type ${type}`;
  if (status !== 200) yield `a document with status ${status}`;
  for (const [pattern, name] of ELEMENTS) if (pattern.test(text)) yield name;
}

const hasStyle = ({ kind }: Pick<Served, 'kind'>, text: string) =>
  kind === 'stylesheet' || (kind === 'document' && INLINE.test(text));

/** Whether the same style may draw something else next time. Of an image, this is to be asked only if it is a text. */
export const drawsByChance = (served: Pick<Served, 'kind'>, text: string): boolean =>
  (served.kind === 'image' || hasStyle(served, text)) && CHANCE.test(text);

/** Whether a style may print what is replaced here, as those for print do, or depend on it, or a checksum covers it. */
export const showsAddresses = (all: readonly Served[]): boolean =>
  all.some((served) => {
    const text = served.body?.toString() ?? '';
    return (hasStyle(served, text) && showsValues(served, text)) || (served.kind === 'document' && CHECKSUM.test(text));
  });

function* ofText(served: Served, text: string, othersAreUtf8: boolean): Generator<string> {
  if (!isPlain(served, text, othersAreUtf8)) yield 'text that is not in UTF-8';
  if (served.kind === 'document') yield* ofDocument(served, text);
  if (drawsByChance(served, text)) yield 'chance in a style';
  if (served.kind === 'image' && MOVES.test(text)) yield 'animations';
}

function* ofExchange(served: Served, own: readonly string[], othersAreUtf8: boolean): Generator<string> {
  const { url, kind, asked, status, answered, body } = served;
  yield* findObstacleKinds([kind]);
  // At another address, the page need not belong to that site.
  if (asked['sec-fetch-site'] === 'same-site') yield 'a request to another host of the same site';
  if (/same-site/i.test(answered['cross-origin-resource-policy'] ?? '')) yield 'a resource for its own site only';
  if (status === 206 || status === 304) yield `an answer with status ${status}`;
  for (const header of HEADERS) if (answered[header] !== undefined) yield `the header ${header}`;
  if (/\*/.test(answered['vary'] ?? '')) yield 'the header vary: *';
  if (new URL(url).username !== '') yield 'a password in an address';
  for (const header of unknownHeaders(asked, own)) yield `a request with the header ${header}`;
  if (body === null) return;
  const isDocument = kind === 'document';
  if (isDocument || kind === 'stylesheet' || isText(answered['content-type']))
    yield* ofText(served, body.toString(), othersAreUtf8);
}

/** Style sheets without an encoding have that of the document, or of the style sheet that imports them. */
function readAsUtf8({ kind, answered, body }: Served): boolean {
  const text = body?.toString() ?? '';
  const charset =
    charsetOf(answered['content-type']) ?? (kind === 'stylesheet' ? (ownCharset(text) ?? 'utf-8') : undefined);
  return charset === undefined ? META_CHARSET.test(text.slice(0, 1024)) : isUtf8(charset);
}

/**
 * Why the same bytes might look different another time, each reason once. `own`: headers that belong to the site
 * access.
 */
export function findObstacles(all: readonly Served[], own: readonly string[]): string[] {
  const utf8 = all
    .filter(({ kind, body }) => (kind === 'document' || kind === 'stylesheet') && body !== null)
    .every(readAsUtf8);
  return [...new Set(all.flatMap((served) => [...ofExchange(served, own, utf8)]))];
}
