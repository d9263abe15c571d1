import bcrypt from 'bcrypt';
import type { Context } from '../../context.ts';
import { forbidden } from '../../errors.ts';

export const PASSWORD_MIN_CHARACTERS = 8;
/** bcrypt ignores all further bytes. A longer password is refused, because its end would not count. */
export const PASSWORD_MAX_BYTES = 72;

export const BCRYPT_COST = 12;

/** The hash of a random text that nobody kept. Used when there is no hash, so that both cases take the same time. */
const DUMMY_HASH = '$2b$12$m8FV4RHw/uJgb4uaevKSkOePRszR.ubaKI3ZzjBmw53UBOH9XQStW';

const fitsBcrypt = (password: string) => Buffer.byteLength(password) <= PASSWORD_MAX_BYTES && !/\p{Cs}/u.test(password);

/**
 * The rule that a password breaks; null: none. Counts Unicode code points. Half a surrogate pair is refused, because in
 * UTF-8 all of them become the same bytes.
 */
export function brokenPasswordRule(password: string): string | null {
  if (Array.from(password).length < PASSWORD_MIN_CHARACTERS) {
    return `must be at least ${PASSWORD_MIN_CHARACTERS} characters`;
  }
  return fitsBcrypt(password) ? null : `must be at most ${PASSWORD_MAX_BYTES} bytes in UTF-8`;
}

/** @param cost log2 of bcrypt's rounds; tests pass a low one. */
export async function hashPassword(password: string, cost = BCRYPT_COST): Promise<string> {
  if (brokenPasswordRule(password) !== null) throw new Error('A password that breaks the rule must not be hashed');
  return bcrypt.hash(password, cost);
}

/** Takes about the same time for every answer, even without a hash: no account, or an account without a password. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const matches = await bcrypt.compare(password, hash ?? DUMMY_HASH);
  return matches && hash !== null && fitsBcrypt(password);
}

/** @throws AppError forbidden `password_sign_in_off` where `PASSWORD_SIGN_IN` is false. */
export function requirePasswordSignIn({ config }: Pick<Context, 'config'>): void {
  if (config.passwordSignIn) return;
  throw forbidden('Passwords are turned off here. Sign in another way.', 'password_sign_in_off');
}
