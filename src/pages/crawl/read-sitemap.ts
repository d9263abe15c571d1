import { Parser } from 'htmlparser2';

/**
 * Addresses of pages and of further sitemaps, trimmed but otherwise as written (sitemaps.org: `urlset` and
 * `sitemapindex`).
 */
export type Sitemap = { pages: string[]; sitemaps: string[] };

/** The protocol's own limit for one file. */
const MAX_ENTRIES = 50_000;
/** A sitemap has three levels. Each end tag is looked for among all open elements, so deeper nesting is not read. */
const MAX_DEPTH = 50;

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

function readPlainText(text: string): Sitemap {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  return { pages: lines.filter((line) => /^https?:\/\//i.test(line)).slice(0, MAX_ENTRIES), sitemaps: [] };
}

/** Reads an XML sitemap or sitemap index with any namespace prefix, or a plain list with one address per line. */
export function readSitemap(text: string): Sitemap {
  if (!text.includes('<')) return readPlainText(text);
  const found: Sitemap = { pages: [], sitemaps: [] };
  const open: string[] = [];
  let location = '';
  const parser = new Parser(
    {
      onopentagname(name) {
        open.push(localName(name));
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
        if (list !== null && list.length < MAX_ENTRIES) list.push(address);
      },
    },
    { xmlMode: true },
  );
  parser.end(text);
  return found;
}
