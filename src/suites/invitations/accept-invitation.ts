import { raiseGrant } from '../../access/grants.ts';
import { isAtLeast, type SuiteRole } from '../../access/role.ts';
import type { ExternalIdentity } from '../../auth/account.ts';
import { hashOneTimeToken } from '../../auth/one-time-token.ts';
import { BCRYPT_COST, requirePasswordSignIn } from '../../auth/passwords/password.ts';
import { createAccount, prepareAccount, type RegisterInput } from '../../auth/register.ts';
import { startSession, type Session } from '../../auth/sessions/start-session.ts';
import type { SignInState } from '../../auth/sign-in-state.ts';
import { signInWithAccount, type SignedIn } from '../../auth/sign-in-with-account.ts';
import { hasVerifiedEmail, keepEmailVerified } from '../../auth/user-store.ts';
import { emailKey, toActor, type User, type Viewer } from '../../auth/user.ts';
import type { Context } from '../../context.ts';
import { inTransaction, type Db } from '../../db/database.ts';
import { forbidden, invalid } from '../../errors.ts';
import { recordEvent } from '../../events/record-event.ts';
import { findSuiteFor } from '../suite-for-viewer-store.ts';
import { deleteInvitation, findOpenInvitation } from './invitation-store.ts';
import { invitationInvalid, readInvitationPath, type OpenedInvitation } from './invitation.ts';

type InvitationContext = Pick<Context, 'config' | 'db' | 'clock' | 'log' | 'address'>;

/** The suite, and the role that the account has on it now. */
export type Joined = { testSuiteId: string; role: SuiteRole };

/** Null: unknown, expired, used or withdrawn. */
export async function findInvitation(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  token: string,
): Promise<OpenedInvitation | null> {
  return findOpenInvitation(db, hashOneTimeToken(token), clock.now());
}

async function openInvitation(ctx: Pick<Context, 'db' | 'clock'>, token: string): Promise<OpenedInvitation> {
  const invitation = await findInvitation(ctx, token);
  if (invitation === null) throw invitationInvalid();
  return invitation;
}

/** The viewer's current role on the suite, if the invitation offers no higher one. */
export async function roleHeld(
  { db }: Pick<Context, 'db'>,
  viewer: Viewer,
  { testSuiteId, role }: OpenedInvitation,
): Promise<SuiteRole | null> {
  const suite = await findSuiteFor(db, viewer.id, testSuiteId);
  return suite !== null && isAtLeast(suite.access.role, role) ? suite.access.role : null;
}

const isFor = ({ email }: OpenedInvitation, account: Pick<User, 'email'>) =>
  email === null || emailKey(email) === emailKey(account.email);

/** Whether the account may accept it: anyone may, or only the account with the invited and verified address. */
export async function mayAccept(
  { db }: Pick<Context, 'db'>,
  viewer: Viewer,
  invitation: OpenedInvitation,
): Promise<boolean> {
  if (invitation.email === null) return true;
  return isFor(invitation, viewer) && (invitation.isMailed || (await hasVerifiedEmail(db, viewer.id)));
}

/**
 * Gives the viewer the role, and uses up the invitation. If the viewer has this role or a higher one already, nothing
 * changes, and the invitation stays open for somebody else.
 * @throws AppError `invitation_invalid` (400), `invitation_of_other` (403).
 */
export async function acceptInvitation(ctx: InvitationContext, viewer: Viewer, token: string): Promise<Joined> {
  return inTransaction(ctx.db, async (trx) => {
    const invitation = await openInvitation({ ...ctx, db: trx }, token);
    const held = await roleHeld({ db: trx }, viewer, invitation);
    if (held !== null) return { testSuiteId: invitation.testSuiteId, role: held };
    if (!(await mayAccept({ db: trx }, viewer, invitation))) {
      throw forbidden(
        `This invitation is for ${invitation.email}. Only an account that has verified this address can accept it.`,
        'invitation_of_other',
      );
    }
    return joinInvited(ctx, trx, invitation, viewer);
  });
}

/**
 * Creates an account, also where registration is closed, gives it the role, and signs it in.
 * @param bcryptCost tests pass a low one.
 * @throws AppError `invitation_invalid`, `validation_failed` (400), `email_taken` (409).
 */
export async function registerInvited(
  ctx: InvitationContext,
  token: string,
  input: RegisterInput,
  bcryptCost = BCRYPT_COST,
): Promise<Session & Joined> {
  requirePasswordSignIn(ctx);
  // Hashing is slow, so it is done only after the token was checked, and outside of the transaction.
  requireAddress(await openInvitation(ctx, token), input);
  const account = await prepareAccount(input, bcryptCost);
  return inTransaction(ctx.db, async (trx) => {
    const invitation = await openInvitation({ ...ctx, db: trx }, token);
    requireAddress(invitation, input);
    const identity = await createAccount(trx, account);
    const joined = await joinInvited(ctx, trx, invitation, identity.user);
    return { ...(await startSession({ ...ctx, db: trx }, identity)), ...joined };
  });
}

function requireAddress(invitation: OpenedInvitation, { email }: RegisterInput): void {
  if (isFor(invitation, { email })) return;
  throw invalid('The account could not be created', [
    { path: 'email', message: `must be ${invitation.email}, whom the invitation is for` },
  ]);
}

/**
 * Gives the role to an account that was just created through the invitation, and uses up the invitation.
 * @throws AppError `invitation_invalid` (400): somebody else was faster.
 */
async function joinInvited(
  { clock, log }: Pick<Context, 'clock' | 'log'>,
  trx: Db,
  { id, testSuiteId, role, email, isMailed, invitedBy }: OpenedInvitation,
  user: User,
): Promise<Joined> {
  if ((await deleteInvitation(trx, testSuiteId, id)) === null) throw invitationInvalid();
  if (email !== null && isMailed) await keepEmailVerified(trx, user.id, clock.now());
  await raiseGrant(trx, { suiteId: testSuiteId, userId: user.id, role, grantedBy: invitedBy.id });
  await recordEvent(trx, toActor(user), { kind: 'invitation.accepted', suiteId: testSuiteId, details: { role } });
  log.info({ invitationId: id, userId: user.id, suiteId: testSuiteId, role }, 'accepted an invitation');
  return { testSuiteId, role };
}

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
