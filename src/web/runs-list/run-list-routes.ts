import type { Route } from '../web-route.ts';
import { getRuns } from './show-run-list.ts';

export const RUNS_LIST_ROUTES: readonly Route[] = [getRuns];
