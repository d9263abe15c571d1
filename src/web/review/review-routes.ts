import type { Route } from '../web-route.ts';
import { postCount } from './cause-form.ts';
import { postIgnoreArea } from './ignore-area-form.ts';
import { postIgnoreChange } from './ignore-change-form.ts';
import { postPromote } from './promote-form.ts';
import { getResult } from './show-result.ts';

export const REVIEW_ROUTES: readonly Route[] = [getResult, postPromote, postCount, postIgnoreChange, postIgnoreArea];
