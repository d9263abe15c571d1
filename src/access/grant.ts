import type { UserSummary } from '../auth/user.ts';
import type { PrincipalType, SuiteRole } from './role.ts';

/** The fields of a suite that sharing needs. */
export type SharedSuite = {
  id: string;
  /** The owner. */
  userId: string;
};

/** A share of one suite with one principal. The team is always null: team sharing is reserved. */
export type Grant = {
  id: string;
  testSuiteId: string;
  principal: { type: PrincipalType; id: string };
  role: SuiteRole;
  user: UserSummary | null;
  team: null;
  grantedBy: UserSummary | null;
  createdAt: Date;
  updatedAt: Date;
};
