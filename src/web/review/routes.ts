import type { Route } from '../route.ts';
import { postPromote } from './promote.ts';
import { getResult } from './show-result.ts';

export const REVIEW_ROUTES: readonly Route[] = [getResult, postPromote];
