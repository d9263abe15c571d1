import type { UserSummary } from '../../auth/user.ts';

/** Somebody who approved results of a run. */
export type Approver = { user: UserSummary; results: number; lastAt: Date };
