import { ACCOUNT_PAGES } from './account/pages.ts';
import { BUCKET_PAGES } from './buckets/pages.ts';
import type { Row } from './row.ts';
import { SETUP_PAGES } from './setup/pages.ts';
import { SUITE_PAGES } from './suites/pages.ts';

/** Every address of the pages; each noun brings its own rows. */
export const PAGES: readonly Row[] = [...ACCOUNT_PAGES, ...SETUP_PAGES, ...SUITE_PAGES, ...BUCKET_PAGES];
