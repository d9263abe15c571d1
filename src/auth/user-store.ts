import type { Db } from '../db/database.ts';
import { isEmailAllowed, normaliseEmail } from './email.ts';
import type { User } from './user.ts';

/** What proves who somebody is. Stays within `auth/`; null: the account has no password (external sign-in). */
export type Credentials = { user: User; passwordHash: string | null; sessionVersion: number };

type CredentialsRow = User & { passwordHash: string | null; sessionVersion: number };

const USER_COLUMNS = ['id', 'email', 'name', 'image', 'created_at', 'updated_at'];
const CREDENTIALS_COLUMNS = [...USER_COLUMNS, 'password_hash', 'session_version'];

function toCredentials({ passwordHash, sessionVersion, ...user }: CredentialsRow): Credentials {
  return { user, passwordHash, sessionVersion };
}

export type NewUser = { email: string; name: string | null; passwordHash: string };

/** Violates `users_email_key` when the address is taken, in whatever case. */
export async function insertUser(db: Db, { email, name, passwordHash }: NewUser): Promise<Credentials> {
  const rows: CredentialsRow[] = await db('users')
    .insert({ email, name, password_hash: passwordHash })
    .returning(CREDENTIALS_COLUMNS);
  const [row] = rows;
  if (row === undefined) throw new Error('The insert returned no user');
  return toCredentials(row);
}

export async function findCredentialsById(db: Db, id: string): Promise<Credentials | null> {
  const row: CredentialsRow | undefined = await db('users').where({ id }).first(CREDENTIALS_COLUMNS);
  return row === undefined ? null : toCredentials(row);
}

export async function findCredentialsByEmail(db: Db, email: string): Promise<Credentials | null> {
  // No account has an address that breaks the rule, and PostgreSQL refuses some of those texts (NUL).
  if (!isEmailAllowed(email)) return null;
  const row: CredentialsRow | undefined = await db('users')
    .whereRaw('lower(email) = lower(?)', [normaliseEmail(email)])
    .first(CREDENTIALS_COLUMNS);
  return row === undefined ? null : toCredentials(row);
}

/** Signs every session of the account out, by the raised version. */
export async function changePassword(db: Db, userId: string, passwordHash: string): Promise<void> {
  await db('users')
    .where({ id: userId })
    .update({
      password_hash: passwordHash,
      session_version: db.raw('session_version + 1'),
      updated_at: db.fn.now(),
    });
}
