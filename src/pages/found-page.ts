/** A page that a search over all suites found. */
export type FoundPage = { id: string; testSuiteId: string; suiteName: string; path: string; title: string | null };
