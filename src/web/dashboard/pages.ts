import type { Row } from '../row.ts';
import { getFirstUnapproved } from './first-unapproved.ts';
import { getStart } from './start.ts';

export const DASHBOARD_PAGES: readonly Row[] = [getStart, getFirstUnapproved];
