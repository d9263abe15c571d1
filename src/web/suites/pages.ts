import type { Row } from '../row.ts';
import { postAddPage, postPages } from './act-on-pages.ts';
import { getCrawl, postCrawl } from './crawl.ts';
import { getNewSuite, postNewSuite } from './create.ts';
import { getSuites } from './list.ts';
import { postRun } from './run.ts';
import { getSuite } from './show.ts';

/** `/suites/new` stands before `/suites/:id`, which would take it. */
export const SUITE_PAGES: readonly Row[] = [
  getSuites,
  getNewSuite,
  postNewSuite,
  getSuite,
  postPages,
  postAddPage,
  getCrawl,
  postCrawl,
  postRun,
];
