import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../db/database.ts';
import { conflict, forbidden, invalid, type Issue } from '../errors.ts';
import { recordEvent } from '../events/record-event.ts';
import { BCRYPT_COST, brokenPasswordRule, hashPassword, requirePasswordSignIn } from './passwords/password.ts';
import { startSession, type Session } from './sessions/start-session.ts';
import { insertUser, type Identity, type NewUser } from './user-store.ts';
import {
  EMAIL_RULE,
  isEmailAllowed,
  isNameAllowed,
  NAME_RULE,
  normalizeEmail,
  normalizeName,
  toActor,
} from './user.ts';

export type RegisterInput = { email: string; password: string; name?: string | null | undefined };

/**
 * Creates an account and signs it in.
 * @param bcryptCost tests pass a low one.
 * @throws AppError `registration_closed`, `password_sign_in_off` (403), `validation_failed` (400), `email_taken` (409).
 */
export async function register(
  ctx: Pick<Context, 'config' | 'db' | 'clock' | 'address'>,
  input: RegisterInput,
  bcryptCost = BCRYPT_COST,
): Promise<Session> {
  requirePasswordSignIn(ctx);
  if (!ctx.config.allowRegistration) throw forbidden('Registration is closed', 'registration_closed');
  return startSession(ctx, await createAccount(ctx.db, await prepareAccount(input, bcryptCost)));
}

/**
 * Hashing takes a quarter of a second, so call it outside of a transaction.
 * @throws AppError `validation_failed` (400)
 */
export async function prepareAccount(input: RegisterInput, bcryptCost = BCRYPT_COST): Promise<NewUser> {
  const name = normalizeName(input.name);
  const issues = validateInput(input, name);
  if (issues.length > 0) throw invalid('The account could not be created', issues);
  return { email: normalizeEmail(input.email), name, passwordHash: await hashPassword(input.password, bcryptCost) };
}

function validateInput({ email, password }: RegisterInput, name: string | null): Issue[] {
  const issues: Issue[] = [];
  if (!isEmailAllowed(email)) issues.push({ path: 'email', message: EMAIL_RULE });
  const broken = brokenPasswordRule(password);
  if (broken !== null) issues.push({ path: 'password', message: broken });
  if (name !== null && !isNameAllowed(name)) issues.push({ path: 'name', message: NAME_RULE });
  return issues;
}

/** @param mend what to do if the address is taken @throws AppError `email_taken` (409) */
export async function createAccount(db: Db, user: NewUser, mend = ''): Promise<Identity> {
  return inTransaction(db, async (trx) => {
    const identity = await insertUser(trx, user);
    if (identity === null) throw conflict(`An account with this email address already exists${mend}`, 'email_taken');
    const details = { email: identity.user.email };
    await recordEvent(trx, toActor(identity.user), { kind: 'account.created', details });
    return identity;
  });
}
