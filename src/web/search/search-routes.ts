import type { Route } from '../web-route.ts';
import { getSearch } from './search.ts';

export const SEARCH_ROUTES: readonly Route[] = [getSearch];
