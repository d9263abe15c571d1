import type { Row } from '../row.ts';
import { getStart } from './start.ts';

export const DASHBOARD_PAGES: readonly Row[] = [getStart];
