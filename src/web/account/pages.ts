import type { Row } from '../row.ts';
import { getSignIn, postSignIn, postSignOut } from './sign-in.ts';

export const ACCOUNT_PAGES: readonly Row[] = [getSignIn, postSignIn, postSignOut];
