import type { Row } from '../row.ts';
import { getRuns } from './runs.ts';

export const RUNS_LIST_PAGES: readonly Row[] = [getRuns];
