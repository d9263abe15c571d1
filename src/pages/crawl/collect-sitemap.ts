import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { errorMessage } from '../../errors.ts';
import { followRedirects, redirectTarget, type FetchResponse } from '../../net/network.ts';
import { isOnHost, restBelow, type SiteBase } from '../../net/site-base.ts';
import { formatCount, formatStatus } from '../../text/format.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { pageAddress, type PageAddress } from '../page-identity.ts';
import { decodeText, isLikelyPage } from './decode-text.ts';
import type { PoliteClient } from './polite-client.ts';
import { readSitemap, type Sitemap } from './read-sitemap.ts';

/** sitemaps.org: 50 MB a file, unpacked. */
const MAX_BYTES = 52_428_800;
const MAX_FILES = 100;
const MAX_NESTING = 3;
const MAX_REDIRECTS = 5;

export type SitemapPages = {
  /** Paths below the suite's base, without duplicates, in the order of the files. */
  paths: string[];
  /** True when a file did not answer or a limit was reached, so pages may be missing. */
  incomplete: boolean;
  warnings: string[];
};

/** `isNamed`: robots.txt or an index names it, so that it should be there. */
type File = { url: string; nesting: number; isNamed: boolean };

const unpack = promisify(gunzip);

const nothing = (problem: string | null): Sitemap => ({ pages: [], sitemaps: [], problem });

/** Null: it is no sitemap. */
async function readFile({ body, headers, truncated }: FetchResponse): Promise<Sitemap | null> {
  const isGzip = body[0] === 0x1f && body[1] === 0x8b;
  try {
    const bytes = isGzip ? await unpack(body, { maxOutputLength: MAX_BYTES }) : body;
    const sitemap = readSitemap(decodeText(bytes, headers['content-type'] ?? ''));
    return sitemap !== null && truncated ? { ...sitemap, problem: 'it is too long' } : sitemap;
  } catch (error) {
    return nothing(errorMessage(error));
  }
}

/** What the file names. One that is only guessed may not be there, or be a page of the site. */
async function fetchSitemap(client: PoliteClient, { url: address, isNamed }: File): Promise<Sitemap> {
  const missing = (problem: string) => nothing(isNamed ? problem : null);
  const sitemap = await followRedirects<Sitemap>(address, MAX_REDIRECTS, async (url) => {
    const reply = await client.get(url, { maxBytes: MAX_BYTES });
    if (reply.kind === 'unavailable') return { end: nothing(reply.reason) };
    const { status } = reply.response;
    if (status >= 200 && status < 300)
      return { end: (await readFile(reply.response)) ?? missing('it is not a sitemap') };
    const next = redirectTarget(reply.response, url);
    if (next !== null) return { next };
    const isGone = status === 404 || status === 410;
    return { end: isGone ? nothing(null) : missing(`it returned ${formatStatus(status)}`) };
  });
  return sitemap ?? missing('it redirects endlessly');
}

/** How many addresses are not of the site. */
type Skipped = { foreign: number; outside: number };

/** Adds addresses below the suite's base to `paths`, and counts the others. */
function addPages(paths: Set<string>, addresses: PageAddress[], base: SiteBase, limit: number, skipped: Skipped): void {
  for (const address of addresses) {
    if (!isOnHost(address.url, base.origin)) skipped.foreign += 1;
    else if (restBelow(base.path, address.path) === null) skipped.outside += 1;
    else if (isLikelyPage(address.path) && paths.size < limit) paths.add(address.path);
  }
}

/** Some sites leave out the host, which the protocol does not allow. What is complete stays as it is written. */
const resolve = (address: string, file: string) =>
  parseUrl(address) === null ? (parseUrl(address, file)?.href ?? null) : address;

/** A file that an index names is read when it is on the suite's host or beside the index. */
const isNear = (url: string, index: string, baseUrl: string): boolean =>
  /^https?:/i.test(url) && (isOnHost(url, baseUrl) || isOnHost(url, index));

/**
 * Reads the sitemaps named in robots.txt (on any host), sitemap.xml below the suite's base and at the root, and the files
 * that those name.
 */
export async function collectSitemap(
  client: PoliteClient,
  { base, named, limit }: { base: SiteBase; named: string[]; limit: number },
): Promise<SitemapPages> {
  const guessed = [`${base.origin}${base.path}sitemap.xml`, `${base.origin}/sitemap.xml`];
  const queue: File[] = [...named, ...guessed].map((url, at) => ({ url, nesting: 0, isNamed: at < named.length }));
  const asked = new Set<string>();
  const paths = new Set<string>();
  const warnings: string[] = [];
  let incomplete = false;
  let isCut = false;
  const skipped: Skipped = { foreign: 0, outside: 0 };
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const { url, nesting } = file;
    if (asked.has(url)) continue;
    // The nesting of later files is at least as deep.
    isCut = nesting > MAX_NESTING || asked.size >= MAX_FILES || client.exhausted() !== null;
    if (isCut) break;
    asked.add(url);
    const { pages, sitemaps, problem } = await fetchSitemap(client, file);
    if (problem !== null) {
      warnings.push(`The sitemap ${url} could not be read: ${problem}`);
      incomplete = true;
    }
    const addresses = pages.flatMap((page) => pageAddress(page, url) ?? []);
    addPages(paths, addresses, base, limit, skipped);
    isCut = paths.size >= limit;
    if (isCut) break;
    const nested = sitemaps.flatMap((next) => resolve(next, url) ?? []);
    for (const next of nested.filter((each) => isNear(each, url, base.origin)))
      queue.push({ url: next, nesting: nesting + 1, isNamed: true });
  }
  if (isCut) {
    warnings.push(
      `The sitemaps were only partly read: ${formatCount(asked.size, 'file')} with ${formatCount(paths.size, 'page')}`,
    );
  }
  const { foreign, outside } = skipped;
  if (foreign > 0) warnings.push(`Skipped ${formatCount(foreign, 'sitemap URL')} on other hosts`);
  if (outside > 0) {
    warnings.push(`Skipped ${formatCount(outside, 'sitemap URL')} outside of ${base.origin}${base.path}`);
  }
  return { paths: [...paths], incomplete: incomplete || isCut, warnings };
}
