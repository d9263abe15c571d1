import { Parser } from 'htmlparser2';
import { parseUrl } from '../../text/parse-url.ts';

/** What a crawl needs to know about a document. Addresses are absolute, otherwise as written, and in document order. */
export type HtmlFacts = {
  title: string | null;
  links: string[];
  /** From `<a rel=nofollow>`. */
  noFollowLinks: string[];
  canonical: string | null;
  icon: string | null;
  /** The target of an immediate `<meta http-equiv=refresh>`. A delayed refresh counts as a link. */
  refresh: string | null;
  /** `<meta name=robots content=nofollow>`. */
  noFollow: boolean;
  /** Without scripts, nothing can add links in the browser. */
  hasScripts: boolean;
};

type Attributes = Record<string, string>;

const MAX_TITLE_CHARACTERS = 300;
/** With the whitespace that is collapsed. The rest of a title may be megabytes. */
const MAX_RAW_TITLE = 10_000;
/** Limit for a page with endless links (a generated index, a trap). Further links are ignored. */
const MAX_LINKS = 20_000;
/**
 * A document is read up to this depth. The parser looks for each end tag among all open elements, so without a limit
 * the work would grow with the square of the document. Browsers have the same limit.
 */
const MAX_DEPTH = 512;

/**
 * The title with collapsed whitespace, limited length, and no control characters that PostgreSQL refuses. Null when
 * nothing is left.
 */
export function tidyTitle(raw: string): string | null {
  const plain = raw
    .slice(0, MAX_RAW_TITLE)
    .replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Cs}/gu, '\uFFFD')
    .trim();
  // A character is at most two code units.
  const characters = Array.from(plain.slice(0, 2 * MAX_TITLE_CHARACTERS + 2));
  if (characters.length === 0) return null;
  if (characters.length <= MAX_TITLE_CHARACTERS) return plain;
  return `${characters.slice(0, MAX_TITLE_CHARACTERS - 1).join('')}…`;
}

const words = (text: string | undefined): string[] => (text ?? '').toLowerCase().split(/[\s,]+/);

/** Parses a value such as `5; url='/next'` as browsers do. */
function readRefresh(content: string): { seconds: number; target: string } | null {
  const [delay, seconds] = /^\s*(\d+)[\d.]*/.exec(content) ?? [];
  const rest = content.slice(delay?.length);
  if (seconds === undefined || !/^[\s;,]/.test(rest)) return null;
  const address = rest
    .trim()
    .replace(/^[;,]\s*/, '')
    .replace(/^url\s*=\s*/i, '');
  const isQuoted = /^["']/.test(address) && address.length > 2 && address.endsWith(address.charAt(0));
  const target = isQuoted ? address.slice(1, -1) : address;
  return target === '' ? null : { seconds: Number(seconds), target };
}

/**
 * The state of the reader. The counters hold how many open elements surround it inside which tags have another meaning.
 */
type Reading = {
  facts: HtmlFacts;
  /** Relative addresses are resolved against this: the document's own address, or its `<base href>`. */
  base: string;
  hasBase: boolean;
  /** What was read of each list. */
  seen: Map<string[], Set<string>>;
  title: string | null;
  inTemplate: number;
  inSvg: number;
  inNoscript: number;
};

const absolute = ({ base }: Reading, href: string) => parseUrl(href.trim(), base)?.href ?? null;

function addLink(reading: Reading, href: string | undefined, list: string[]): void {
  const seen = reading.seen.get(list) ?? new Set();
  if (href === undefined || href.startsWith('#') || list.length >= MAX_LINKS || seen.has(href)) return;
  reading.seen.set(list, seen.add(href));
  const link = absolute(reading, href);
  if (link !== null) list.push(link);
}

function readAnchor(reading: Reading, { href, rel, download }: Attributes): void {
  const { links, noFollowLinks } = reading.facts;
  if (download === undefined) addLink(reading, href, words(rel).includes('nofollow') ? noFollowLinks : links);
}

function readMeta(reading: Reading, { name, content = '', 'http-equiv': equivalent }: Attributes): void {
  const { facts } = reading;
  if (/^robots$/i.test(name ?? '')) facts.noFollow ||= words(content).some((word) => /^(nofollow|none)$/.test(word));
  // A refresh in <noscript> does not apply to browsers that run scripts, such as the one that takes the screenshots.
  if (!/^refresh$/i.test(equivalent ?? '') || reading.inNoscript > 0) return;
  const refresh = readRefresh(content);
  if (refresh?.seconds === 0) facts.refresh ??= absolute(reading, refresh.target);
  else if (refresh !== null) addLink(reading, refresh.target, facts.links);
}

function readBase(reading: Reading, { href }: Attributes): void {
  const base = href === undefined || reading.hasBase ? null : absolute(reading, href);
  if (base === null) return;
  reading.base = base;
  reading.hasBase = true;
}

function readLink(reading: Reading, { rel, href }: Attributes): void {
  if (href === undefined) return;
  const { facts } = reading;
  if (words(rel).includes('canonical')) facts.canonical ??= absolute(reading, href);
  if (words(rel).includes('icon')) facts.icon ??= absolute(reading, href);
}

function readElement(reading: Reading, name: string, attributes: Attributes): void {
  const { facts } = reading;
  switch (name) {
    case 'a':
      return readAnchor(reading, attributes);
    case 'area':
      return addLink(reading, attributes['href'], facts.links);
    case 'base':
      return readBase(reading, attributes);
    case 'link':
      return readLink(reading, attributes);
    case 'meta':
      return readMeta(reading, attributes);
    case 'script':
      facts.hasScripts ||= /^$|module|javascript/i.test(attributes['type'] ?? '');
      return undefined;
    case 'title':
      if (reading.inSvg === 0) reading.title ??= '';
      return undefined;
    default:
      return undefined;
  }
}

/** Updates the counters: `by` is 1 when an element opens and -1 when it closes. */
function step(reading: Reading, name: string, by: 1 | -1): void {
  if (name === 'template') reading.inTemplate = Math.max(0, reading.inTemplate + by);
  else if (name === 'svg') reading.inSvg += by;
  else if (name === 'noscript') reading.inNoscript += by;
}

/** Such a template is shown, unless it is inside another one. */
const isShadowRoot = ({ inTemplate }: Reading, name: string, { shadowrootmode = '' }: Attributes): boolean =>
  name === 'template' && inTemplate === 0 && /^(open|closed)$/i.test(shadowrootmode);

const noFacts = (): HtmlFacts => ({
  title: null,
  links: [],
  noFollowLinks: [],
  canonical: null,
  icon: null,
  refresh: null,
  noFollow: false,
  hasScripts: false,
});

/** Reads the document in one pass without building a tree. `url` is the address of the document. */
export function readHtml(html: string, url: string): HtmlFacts {
  const facts = noFacts();
  const counters = { inTemplate: 0, inSvg: 0, inNoscript: 0 };
  const reading: Reading = { facts, base: url, hasBase: false, seen: new Map(), title: null, ...counters };
  let inTitle = false;
  let depth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1;
      if (depth > MAX_DEPTH) parser.pause();
      if (!isShadowRoot(reading, name, attributes)) step(reading, name, 1);
      if (reading.inTemplate > 0) return;
      inTitle = name === 'title' && reading.title === null && reading.inSvg === 0;
      readElement(reading, name, attributes);
    },
    ontext(text) {
      if (inTitle) reading.title += text;
    },
    onclosetag(name) {
      depth -= 1;
      step(reading, name, -1);
      if (name === 'title') inTitle = false;
    },
  });
  parser.end(html);
  return { ...facts, title: tidyTitle(reading.title ?? '') };
}
