import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { violates } from '../db/unique-violation.ts';
import { conflict, forbidden, invalid } from '../errors.ts';
import type { Issue } from '../errors.ts';
import { EMAIL_RULE, isEmailAllowed, normalizeEmail } from './email.ts';
import { BCRYPT_COST, PASSWORD_RULE, hashPassword, isPasswordAllowed } from './password.ts';
import { requirePasswordSignIn } from './password-sign-in.ts';
import { startSession } from './start-session.ts';
import type { Session } from './start-session.ts';
import { insertUser } from './user-store.ts';
import type { Identity, NewUser } from './user-store.ts';
import { NAME_RULE, isNameAllowed, normalizeName } from './user.ts';

export type RegisterInput = { email: string; password: string; name?: string | null | undefined };

/**
 * Creates an account and signs it in.
 * @param bcryptCost tests pass a low one.
 * @throws AppError `registration_closed`, `password_sign_in_off` (403), `validation_failed` (400), `email_taken` (409).
 */
export async function register(
  ctx: Pick<Context, 'config' | 'db' | 'clock'>,
  input: RegisterInput,
  bcryptCost = BCRYPT_COST,
  address: string | null = null,
): Promise<Session> {
  requirePasswordSignIn(ctx);
  if (!ctx.config.allowRegistration) throw forbidden('Registration is closed', 'registration_closed');
  const identity = await createAccount(ctx.db, await prepareAccount(input, bcryptCost));
  return startSession(ctx, identity, { by: 'registration', address });
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
  if (!isPasswordAllowed(password)) issues.push({ path: 'password', message: PASSWORD_RULE });
  if (name !== null && !isNameAllowed(name)) issues.push({ path: 'name', message: NAME_RULE });
  return issues;
}

/** @throws AppError `email_taken` (409) */
export async function createAccount(db: Db, user: NewUser): Promise<Identity> {
  try {
    return await insertUser(db, user);
  } catch (error) {
    if (violates(error, 'users_email_key'))
      throw conflict('An account with this email address already exists', 'email_taken');
    throw error;
  }
}
