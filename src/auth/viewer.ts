import type { User } from './user.ts';

/** The account that makes a request, proven by its token. */
export type Viewer = User;
