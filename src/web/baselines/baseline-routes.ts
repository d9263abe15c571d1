import type { Route } from '../web-route.ts';
import { getCompare } from './compare.ts';
import { postRestore } from './restore.ts';
import { getPage } from './show-page.ts';

export const BASELINE_ROUTES: readonly Route[] = [getPage, getCompare, postRestore];
