import type { Route } from '../route.ts';
import { getRuns } from './runs.ts';

export const RUNS_LIST_ROUTES: readonly Route[] = [getRuns];
