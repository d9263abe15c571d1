import type { Network } from '../../net/network.ts';
import type { SuiteConfig } from '../../suites/config/suite-config.ts';

export type CrawlOptions = SuiteConfig['crawlOptions'];

export type DiscoverInput = Pick<SuiteConfig, 'maxPages' | 'maxDepth' | 'crawlOptions'> & {
  baseUrl: string;
  /** Paths of pages that a person added. They are requested whether linked or not, and their links are not followed. */
  extraPaths: string[];
  /**
   * Paths known from earlier crawls. If this crawl is cut short, they are requested, to tell pages that are gone from
   * pages that it did not reach.
   */
  knownPaths: string[];
};

export type DiscoverTools = {
  fetch: Network['fetch'];
  /** Opens a page in the browser. If this throws, the page is used as it was fetched. */
  render: (url: string) => Promise<{ url: string; html: string }>;
  /** Whether the suite names the page at this URL as its login. */
  isLogin?: (url: string) => boolean;
  /** Called before each request. */
  isCancelled?: () => Promise<boolean>;
  /** Called for each page that is found, in order. */
  onPage?: (page: DiscoveredPage) => void;
  /** Milliseconds since the epoch. */
  now?: () => number;
  wait?: (milliseconds: number) => Promise<void>;
};

export type DiscoveredPage = {
  path: string;
  title: string | null;
  /** The page whose link was followed. Null without a link: the base page, a sitemap entry, a page added by hand. */
  foundOn: string | null;
};

export type Discovery = {
  /** In the order of discovery: by depth, then in the order of the links. */
  pages: DiscoveredPage[];
  /** Paths that answered 404 or 410. */
  missing: string[];
  /**
   * Paths that did not answer, or answered with 429, 5xx or a refusal, and known ones that lead elsewhere or are closed
   * to the crawl. Nothing is known about them.
   */
  unavailable: string[];
  /** Known paths that are linked, but from further away than `maxDepth`. */
  beyondDepth: string[];
  /** True when a limit was hit or a sitemap did not answer, so pages that are not in `pages` may still exist. */
  truncated: boolean;
  /** A sentence for people when the crawl found no page at all, or only a login. In that case nothing is known about any page. */
  failure: string | null;
  /** The failure is that the site seems to show only its own login page. */
  isLogin: boolean;
  warnings: string[];
};

/** Thrown when `isCancelled` returned true. */
export class CrawlCancelled extends Error {}
