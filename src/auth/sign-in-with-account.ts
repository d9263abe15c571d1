import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { conflict, forbidden, unauthenticated } from '../errors.ts';
import { recordEvent } from '../events/record-event.ts';
import { findLinkedUserId, saveAccount } from './account-store.ts';
import type { ExternalIdentity } from './account.ts';
import { createAccount } from './register.ts';
import { sealTokens } from './seal-tokens.ts';
import { accountDisabled, openSession, startSession, type Session } from './sessions/start-session.ts';
import { findIdentity, findUserByEmail, keepEmailVerified, type Identity } from './user-store.ts';
import {
  emailKey,
  isEmailAllowed,
  isNameAllowed,
  normalizeEmail,
  normalizeName,
  toActor,
  type User,
  type Viewer,
} from './user.ts';

type SignInContext = Pick<Context, 'config' | 'db' | 'clock' | 'address'>;

/** An invitation, which allows a new account although registration is closed. */
export type Invited = {
  /** The only address that it is for. */
  email: string | null;
  /** Uses it up for the new account, in the transaction that creates it. */
  take: (trx: Db, user: User) => Promise<void>;
};

/** What else a sign-in does, in the same transaction. */
export type SignedIn = (trx: Db, user: User) => Promise<void>;

/**
 * Signs in the user who linked this account of another service. If nobody linked it, it is linked to the viewer.
 * Without a viewer, it is linked to the user whose email address the service has verified, or else to a new user. The
 * tokens are kept (docs/rules.md, Who may do what).
 * @param viewer the user who asks to link the account; null to sign in with it
 * @param invited if the person comes from an invitation
 * @throws AppError `account_taken`, `email_taken` (409), `registration_closed` (403); nothing is stored then.
 */
export async function signInWithAccount(
  ctx: SignInContext,
  external: ExternalIdentity,
  viewer: Viewer | null,
  invited: Invited | null = null,
  then: SignedIn = async () => {},
): Promise<Session> {
  const identity = await inTransaction(ctx.db, async (trx) => {
    const linkedTo = await findLinkedUserId(trx, external);
    const found = await userFor({ ...ctx, db: trx }, external, linkedTo ?? viewer?.id ?? null, invited);
    if (found.isDisabled) throw accountDisabled();
    const tokens = sealTokens(ctx.config, external.tokens);
    const isTheirs = viewer === null || viewer.id === found.user.id;
    if (!isTheirs || !(await saveAccount(trx, external, found.user.id, tokens))) {
      throw conflict('This account is linked to another user', 'account_taken');
    }
    await then(trx, found.user);
    if (linkedTo === null) {
      const details = { provider: external.provider, login: external.login };
      await recordEvent(trx, toActor({ ...found.user, address: ctx.address }), { kind: 'account.linked', details });
    }
    return found;
  });
  // People who link an account have signed in before.
  return viewer === null ? startSession(ctx, identity) : openSession(ctx, identity, viewer.sessionId);
}

async function userFor(
  ctx: SignInContext,
  external: ExternalIdentity,
  userId: string | null,
  invited: Invited | null,
): Promise<Identity> {
  if (userId !== null) {
    const identity = await findIdentity(ctx.db, userId);
    if (identity === null) throw unauthenticated('Sign in again');
    return identity;
  }
  return (await findByVerifiedEmail(ctx, external)) ?? createUser(ctx, external, invited);
}

async function findByVerifiedEmail({ db, clock }: SignInContext, external: ExternalIdentity): Promise<Identity | null> {
  for (const email of external.verifiedEmails) {
    const user = await findUserByEmail(db, email);
    if (user === null) continue;
    await keepEmailVerified(db, user.id, clock.now());
    return findIdentity(db, user.id);
  }
  return null;
}

async function createUser(
  { config, db, clock }: SignInContext,
  external: ExternalIdentity,
  invited: Invited | null,
): Promise<Identity> {
  const invitedAs = invited === null ? undefined : invitedAddress(external, invited);
  if (!config.allowRegistration && !external.mayRegister && invitedAs === undefined)
    throw forbidden('Registration is closed', 'registration_closed');
  const name = normalizeName(external.name);
  const email = invitedAs ?? ownAddresses(external)[0];
  if (email === undefined) throw new Error('The external account has no email address');
  const user = {
    email: normalizeEmail(email),
    name: name !== null && isNameAllowed(name) ? name : null,
    passwordHash: null,
    image: external.image,
    emailVerified: external.verifiedEmails.includes(email) ? clock.now() : null,
  };
  const identity = await createAccount(db, user, '. Sign in to it first, then link the other account.');
  if (invitedAs !== undefined) await invited?.take(db, identity.user);
  return identity;
}

const ownAddresses = ({ verifiedEmails, otherEmails }: ExternalIdentity) =>
  [...verifiedEmails, ...otherEmails].filter(isEmailAllowed);

/** The address with which the person may accept the invitation. Undefined: the invitation is for somebody else. */
function invitedAddress(external: ExternalIdentity, { email }: Invited): string | undefined {
  if (email === null) return ownAddresses(external)[0];
  return external.verifiedEmails.find((own) => emailKey(own) === emailKey(email));
}
