import type { Row } from '../row.ts';
import { getCompare } from './compare.ts';
import { postRestore } from './restore.ts';
import { getPage } from './show-page.ts';

export const BASELINE_PAGES: readonly Row[] = [getPage, getCompare, postRestore];
