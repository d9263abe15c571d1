import type { ExternalIdentity } from '../../auth/account.ts';
import type { Session } from '../../auth/sessions/start-session.ts';
import type { SignInState } from '../../auth/sign-in-state.ts';
import { signInWithAccount, type SignedIn } from '../../auth/sign-in-with-account.ts';
import type { User, Viewer } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { findInvitation, joinInvited } from './accept-invitation.ts';
import { readInvitationPath } from './invitation.ts';

/**
 * Signs in with an account of another service. Whoever comes from the page of an invitation accepts it with a new account.
 * @param then runs in the transaction of the sign-in
 * @throws AppError those of `signInWithAccount`
 */
export async function signInInvited(
  ctx: Pick<Context, 'config' | 'db' | 'clock' | 'log'>,
  identity: ExternalIdentity,
  { userId, next: asked }: Pick<SignInState, 'userId' | 'next'>,
  viewer: Viewer | null,
  then?: SignedIn,
): Promise<Session & { next: string }> {
  const linking = userId === null ? null : viewer;
  const token = readInvitationPath(asked);
  // Null: they came from elsewhere, or it has ended.
  const invitation = token === null ? null : await findInvitation(ctx, token);
  if (invitation === null) {
    return { ...(await signInWithAccount(ctx, identity, linking, null, then)), next: asked };
  }
  let next = asked;
  const take = async (trx: Db, user: User) => {
    const joined = await joinInvited(ctx, trx, invitation, user);
    next = `/suites/${joined.testSuiteId}`;
  };
  const session = await signInWithAccount(ctx, identity, linking, { email: invitation.email, take }, then);
  return { ...session, next };
}
