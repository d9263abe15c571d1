import type { SelectedRow } from '../../db/query.ts';

/** What was found at an address in a few seconds, before there is a suite. */
export type SiteFacts = {
  /** After redirects. */
  address: string;
  title: string | null;
  /** A data URI. */
  icon: string | null;
  /** Addresses on the site's own host that its sitemaps name; `partial`: there are more. Null: that is not known. */
  sitemap: { addresses: number; partial: boolean } | null;
  /** Paths of the first pages that the address leads to. */
  pages: string[];
  /** The origin to which it redirects, when that is another host: crawls would not follow it. */
  moved: string | null;
  /** robots.txt forbids crawling it. */
  forbidden: boolean;
};

declare module '../../db/json.ts' {
  interface JsonColumns {
    'site_looks.facts': SiteFacts;
    'site_looks.typed': Record<string, string>;
  }
}

export const LOOK_COLUMNS = [
  'id',
  'address',
  'status',
  // Null: not yet known, or the site could not be read.
  'facts',
  // A data URI.
  'picture',
  // Why the site could not be read or captured, and what can be done, in sentences.
  'problem',
  // The rest of the form, for a browser without scripts.
  'typed',
] as const;

/** One look of one person. Nobody else sees it, and later ones replace it. */
export type SiteLook = SelectedRow<'site_looks', typeof LOOK_COLUMNS>;
