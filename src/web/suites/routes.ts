import type { Route } from '../route.ts';
import { postAddPage, postPages } from './act-on-pages.ts';
import { getCrawl, postCrawl } from './crawl.ts';
import { getNewSuite, postNewSuite } from './create.ts';
import { getSuites } from './list.ts';
import { getRepository, postRepository, postUnlink } from './repository.ts';
import { postRun } from './run.ts';
import { getSuiteRuns } from './runs.ts';
import { getSettings, postActive, postDelete, postSettings } from './settings.ts';
import { getSharing, postGrant, postRevoke, postSharing } from './sharing.ts';
import { getSuite } from './show.ts';

/** `/suites/new` comes before `/suites/:id`, which would match it too. */
export const SUITE_ROUTES: readonly Route[] = [
  getSuites,
  getNewSuite,
  postNewSuite,
  getSuite,
  postPages,
  postAddPage,
  getCrawl,
  postCrawl,
  postRun,
  getSuiteRuns,
  getSettings,
  postSettings,
  postActive,
  postDelete,
  getSharing,
  postSharing,
  postGrant,
  postRevoke,
  getRepository,
  postRepository,
  postUnlink,
];
