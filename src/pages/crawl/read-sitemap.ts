import { Parser } from 'htmlparser2';

/**
 * Addresses of pages and of further sitemaps, trimmed but otherwise as written (sitemaps.org: `urlset` and
 * `sitemapindex`).
 */
export type Sitemap = {
  pages: string[];
  sitemaps: string[];
  /** Why there may be more, as the end of a sentence. Null: this is all. */
  problem: string | null;
};

/** The protocol's own limit for one file. */
const MAX_ENTRIES = 50_000;
const TOO_MANY = 'it has too many entries';
/** A sitemap has three levels. Each end tag is looked for among all open elements, so deeper nesting is not read. */
const MAX_DEPTH = 50;

const ROOTS = new Set<string | undefined>(['urlset', 'sitemapindex']);

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

function readPlainText(text: string): Sitemap | null {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  const pages = lines.filter((line) => /^https?:\/\//i.test(line));
  const problem = pages.length > MAX_ENTRIES ? TOO_MANY : null;
  return pages.length === 0 ? null : { pages: pages.slice(0, MAX_ENTRIES), sitemaps: [], problem };
}

/**
 * Reads an XML sitemap or sitemap index with any namespace prefix, or a plain list with one address per line. Null: it is
 * something else.
 */
export function readSitemap(text: string): Sitemap | null {
  if (!text.includes('<')) return readPlainText(text);
  const found: Sitemap = { pages: [], sitemaps: [], problem: null };
  const open: string[] = [];
  let root: string | undefined;
  let location = '';
  const parser = new Parser(
    {
      onopentagname(name) {
        open.push(localName(name));
        root ??= open[0];
        location = '';
        if (open.length > MAX_DEPTH) parser.pause();
      },
      ontext(part) {
        if (open.at(-1) === 'loc') location += part;
      },
      onclosetag() {
        // The `loc` of an image or a video is inside an element of its own.
        const [name, parent] = [open.pop(), open.at(-1)];
        const address = location.trim();
        if (name !== 'loc' || address === '') return;
        const list = parent === 'url' ? found.pages : parent === 'sitemap' ? found.sitemaps : null;
        if (list === null) return;
        if (list.length < MAX_ENTRIES) list.push(address);
        else found.problem = TOO_MANY;
      },
    },
    { xmlMode: true },
  );
  // Without an end, what is open was cut off.
  parser.write(text);
  const isSitemap = ROOTS.has(root) || found.pages.length + found.sitemaps.length > 0;
  if (open.length > 0) found.problem ??= 'it ends too early';
  return isSitemap ? found : null;
}
