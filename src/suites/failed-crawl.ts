/** A suite whose last crawl failed, and when. */
export type FailedCrawl = { id: string; name: string; error: string | null; at: Date };
