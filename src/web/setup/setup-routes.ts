import type { Route } from '../web-route.ts';
import { getSetup, getSetupCallback } from './connect.ts';

export const SETUP_ROUTES: readonly Route[] = [getSetup, getSetupCallback];
