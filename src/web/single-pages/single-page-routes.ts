import type { Route } from '../web-route.ts';
import { getNewSinglePage, postNewSinglePage } from './create-single-page.ts';
import { getSinglePages } from '../suites/list-suites-page.ts';

/** The page of one single page is in `suites/show.ts`. */
export const SINGLE_PAGE_ROUTES: readonly Route[] = [getSinglePages, getNewSinglePage, postNewSinglePage];
