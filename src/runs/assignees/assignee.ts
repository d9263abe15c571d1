import type { UserSummary } from '../../auth/user.ts';

/** Somebody who was asked to review a run, and may. */
export type Assignee = UserSummary & {
  /** As the code host calls the account that they linked. */
  login: string | null;
};
