import type { UserSummary } from '../../auth/user.ts';

/** Somebody who was asked to review a run, and may. */
export type Assignee = UserSummary & {
  /** The name of their linked account on the code host. */
  login: string | null;
};
