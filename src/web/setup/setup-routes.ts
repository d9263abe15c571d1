import type { Route } from '../web-route.ts';
import { getSetup, getSetupCallback } from './connect.ts';
import { getFirstCheck, postFirstCheck } from './first-check.ts';
import { getCreate, getInstalled, postInstalled } from './installed.ts';

export const SETUP_ROUTES: readonly Route[] = [
  getSetup,
  getSetupCallback,
  getInstalled,
  postInstalled,
  getCreate,
  getFirstCheck,
  postFirstCheck,
];
