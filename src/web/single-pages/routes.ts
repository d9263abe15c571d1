import type { Route } from '../route.ts';
import { getNewSinglePage, postNewSinglePage } from './create.ts';
import { getSinglePages } from './list.ts';

/** A single page itself is shown by `suites/show.ts`. */
export const SINGLE_PAGE_ROUTES: readonly Route[] = [getSinglePages, getNewSinglePage, postNewSinglePage];
