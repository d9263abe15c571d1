import type { Row } from '../row.ts';
import { postPromote } from './promote.ts';
import { getResult } from './show-result.ts';

export const REVIEW_PAGES: readonly Row[] = [getResult, postPromote];
