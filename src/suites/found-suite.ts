import type { SuiteKind } from './suite.ts';

/** A suite or single page that a search found. */
export type FoundSuite = { id: string; name: string; baseUrl: string; kind: SuiteKind };
