import type { SuiteRole } from '../../access/role.ts';
import type { UserSummary } from '../../auth/user.ts';
import { AppError } from '../../errors.ts';

/** An offer of a role on a suite, to whoever opens its link first, or to one address. It ends when it is accepted. */
export type Invitation = {
  id: string;
  testSuiteId: string;
  role: SuiteRole;
  /** Only an account with this address may accept it. Null: anyone who has the link. */
  email: string | null;
  invitedBy: UserSummary;
  createdAt: Date;
  expiresAt: Date;
};

/** An invitation as the person who opens its link sees it. */
export type OpenedInvitation = Invitation & {
  suiteName: string;
  /** The link came by mail, so whoever opens it reads the mail of the address. */
  isMailed: boolean;
};

export const INVITATION_DAYS = 7;

/** Maximum number of open invitations of a suite. */
export const INVITATIONS_MAX = 100;

export const invitationPath = (token: string) => `/invitations/${token}`;

/** The token of a path that `invitationPath` made; null for any other path. */
export function readInvitationPath(path: string): string | null {
  return /^\/invitations\/([\w-]{1,200})$/.exec(path)?.[1] ?? null;
}

export function invitationInvalid(): AppError {
  return new AppError('invalid', 'This invitation was already used, was withdrawn, or has expired', {
    code: 'invitation_invalid',
  });
}
