import type { User } from './user.ts';

/** The account that makes a request, as its token proved. */
export type Viewer = User;
