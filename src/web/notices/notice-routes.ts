import type { Route } from '../web-route.ts';
import { listRoutes } from './list-targets-page.ts';
import { BASES } from './notice-place.ts';
import { targetRoutes } from './target-page.ts';

/** Who is told of events: of a suite, and of the installation. */
export const NOTICE_ROUTES: readonly Route[] = BASES.flatMap((path) => [...listRoutes(path), ...targetRoutes(path)]);
