import { z } from 'zod';

/** How many of the last pages are listed. */
const LAST_PAGES = 5;

/** What a running crawl has found so far. The newest page comes first. */
export type CrawlProgress = {
  pagesFound: number;
  lastPages: { path: string; title: string | null }[];
};

/** How many pages a crawl tracked automatically, and how many more it would have tracked without the limit. */
export const CrawlTracking = z.object({ tracked: z.number(), beyondLimit: z.number() });
export type CrawlTracking = z.infer<typeof CrawlTracking>;

/** `progress` is null unless a crawl is running; `tracking` is null unless the last one was to track pages. */
export type CrawlDetails = { progress: CrawlProgress | null; tracking: CrawlTracking | null };

declare module '../../db/json.ts' {
  interface JsonColumns {
    'test_suites.crawl_progress': CrawlProgress;
    'test_suites.crawl_tracked': CrawlTracking;
  }
}

export function addToProgress(progress: CrawlProgress, { path, title }: { path: string; title: string | null }) {
  const lastPages = [{ path, title }, ...progress.lastPages].slice(0, LAST_PAGES);
  return { pagesFound: progress.pagesFound + 1, lastPages };
}
