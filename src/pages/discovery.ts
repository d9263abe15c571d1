import type { Network } from '../net/network.ts';

export type CrawlOptions = { followSitemap: boolean; respectRobots: boolean; userAgent: string; timeout: number };

export type DiscoverInput = {
  baseUrl: string;
  maxPages: number;
  /** Links from the base URL; what a sitemap names counts as one link away, so 0 is the base page alone. */
  maxDepth: number;
  crawlOptions: CrawlOptions;
  /** Paths of pages that a person added: looked up, linked or not; their links are not followed. */
  extraPaths: string[];
  /** Paths known from earlier crawls: looked up when this one is cut short, to tell what is gone from what was not reached. */
  knownPaths: string[];
};

export type DiscoverTools = {
  fetch: Network['fetch'];
  /** Opens a page in the browser. When it throws, the page is taken as it was fetched. */
  render: (url: string) => Promise<{ url: string; html: string }>;
  /** Asked between requests. */
  isCancelled?: () => Promise<boolean>;
  /** Milliseconds since the epoch. */
  now?: () => number;
  wait?: (milliseconds: number) => Promise<void>;
};

export type DiscoveredPage = {
  path: string;
  /** On the origin of the base URL. */
  url: string;
  title: string | null;
  /** Null for a page that was added by hand and not come across. */
  depth: number | null;
  /** The page whose link led here; null for what needed none: the base page, a sitemap's entry, a page added by hand. */
  foundOn: string | null;
};

export type Discovery = {
  /** In the order of discovery: by depth, then as linked. */
  pages: DiscoveredPage[];
  /** Paths that answered 404 or 410. */
  missing: string[];
  /** Paths that did not answer, or with 429, 5xx or a refusal: nothing is known of them. */
  unavailable: string[];
  /** Known paths that are linked, but from further away than `maxDepth`. */
  beyondDepth: string[];
  /** True when a bound was hit, or a sitemap did not answer: pages not in `pages` may still be there. */
  truncated: boolean;
  /** A sentence for people when the crawl came to no page at all; then nothing is known of any page. */
  failure: string | null;
  warnings: string[];
};

/** `isCancelled` said so. */
export class CrawlCancelled extends Error {}
