import type { Route } from '../web-route.ts';
import { getStart } from './start.ts';

export const DASHBOARD_ROUTES: readonly Route[] = [getStart];
