import type { Row } from '../row.ts';
import { getSetup, getSetupCallback } from './connect.ts';

export const SETUP_PAGES: readonly Row[] = [getSetup, getSetupCallback];
