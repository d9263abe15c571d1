import { computed, countRows, onlyOf, type Db } from '../db/database.ts';
import type { TimePart, TimePlace } from '../db/list-part.ts';
import type { PreferenceChange } from './preferences.ts';
import {
  isEmailAllowed,
  MANAGED_COLUMNS,
  normalizeEmail,
  USER_COLUMNS,
  type AdministratorBy,
  type ManagedAccount,
  type User,
} from './user.ts';

/** An account and the version that its valid session tokens carry. */
export type Identity = { user: User; sessionVersion: number; isDisabled: boolean };

type IdentityRow = User & { sessionVersion: number; disabledAt: Date | null };

/** For login only. The hash is null for an account without a password (external sign-in). */
export type Credentials = Identity & { passwordHash: string | null };

const IDENTITY_COLUMNS = [...USER_COLUMNS, 'session_version', 'disabled_at'] as const;
const CREDENTIAL_COLUMNS = [...IDENTITY_COLUMNS, 'password_hash'] as const;

function toIdentity({ sessionVersion, disabledAt, ...user }: IdentityRow): Identity {
  return { user, sessionVersion, isDisabled: disabledAt !== null };
}

export type NewUser = {
  email: string;
  name: string | null;
  /** Null: the account can sign in only through another service. */
  passwordHash: string | null;
  image?: string | null;
  emailVerified?: Date | null;
};

/** The first account runs the installation. If two are made in the same instant, both do. */
const FIRST_IS_ADMINISTRATOR = `case when not exists (select from users) then 'NAMED' end`;

/** Null when the address is taken, ignoring case. */
export async function insertUser(db: Db, user: NewUser): Promise<Identity | null> {
  const { email, name, passwordHash, image = null, emailVerified = null } = user;
  const [row] = await db('users')
    .insert({
      email,
      name,
      password_hash: passwordHash,
      image,
      email_verified: emailVerified,
      administrator: db.raw(FIRST_IS_ADMINISTRATOR),
    })
    .onConflict(db.raw('(lower(email))'))
    .ignore()
    .returning(IDENTITY_COLUMNS);
  return row === undefined ? null : toIdentity(row);
}

export async function findIdentity(db: Db, id: string): Promise<Identity | null> {
  const row = await db('users').where({ id }).first(IDENTITY_COLUMNS);
  return row === null ? null : toIdentity(row);
}

export async function findUserByEmail(db: Db, email: string): Promise<User | null> {
  return byEmail(db, email)?.first(USER_COLUMNS) ?? null;
}

/** A single read. A hash from before a reset with a session version from after it would let the old password in. */
export async function findCredentials(db: Db, email: string): Promise<Credentials | null> {
  return toCredentials((await byEmail(db, email)?.first(CREDENTIAL_COLUMNS)) ?? null);
}

/** For a password change, also in a single read. */
export async function findCredentialsById(db: Db, userId: string): Promise<Credentials | null> {
  return toCredentials(await db('users').where({ id: userId }).first(CREDENTIAL_COLUMNS));
}

/** Locks the account to the end of the transaction. */
export async function lockCredentials(trx: Db, userId: string): Promise<Credentials | null> {
  return toCredentials(await trx('users').where({ id: userId }).forUpdate().first(CREDENTIAL_COLUMNS));
}

function toCredentials(row: (IdentityRow & { passwordHash: string | null }) | null): Credentials | null {
  if (row === null) return null;
  const { passwordHash, ...identity } = row;
  return { ...toIdentity(identity), passwordHash };
}

/** Null: no account has an address that breaks the rule, and PostgreSQL refuses some of these texts (NUL). */
function byEmail(db: Db, email: string) {
  return isEmailAllowed(email) ? db('users').whereRaw('lower(email) = lower(?)', [normalizeEmail(email)]) : null;
}

/** Signs out every session of the account, and invalidates its open sign-in links and its own tokens. */
const signedOut = (db: Db) => ({ session_version: db.raw('session_version + 1'), updated_at: db.fn.now() });

/** Raises the session version, which signs out every session of the account. */
export async function setPassword(db: Db, userId: string, passwordHash: string): Promise<User> {
  const rows = await db('users')
    .where({ id: userId })
    .update({ password_hash: passwordHash, ...signedOut(db) })
    .returning(USER_COLUMNS);
  return onlyOf(rows);
}

/** Does the same, but if the sessions were signed out since `read`, returns null and changes nothing. */
export async function replacePassword(db: Db, read: Identity, passwordHash: string): Promise<Identity | null> {
  const [row] = await db('users')
    .where({ id: read.user.id, session_version: read.sessionVersion })
    .update({ password_hash: passwordHash, ...signedOut(db) })
    .returning(IDENTITY_COLUMNS);
  return row === undefined ? null : toIdentity(row);
}

/** Signs out every session of the account, and invalidates its open sign-in links. */
export async function raiseSessionVersion(db: Db, userId: string): Promise<void> {
  await db('users').where({ id: userId }).update(signedOut(db));
}

/** Null: the account was deleted. */
export async function setName(db: Db, userId: string, name: string | null): Promise<User | null> {
  const [row] = await db('users')
    .where({ id: userId })
    .update({ name, updated_at: db.fn.now() })
    .returning(USER_COLUMNS);
  return row ?? null;
}

export async function mergePreferences(db: Db, userId: string, change: PreferenceChange): Promise<void> {
  await db('users')
    .where({ id: userId })
    .update({ preferences: db.raw('preferences || ?::jsonb', [JSON.stringify(change)]) });
}

/** Its owner has read a mail to the address. One that is already verified keeps the time of its first verification. */
export async function keepEmailVerified(db: Db, userId: string, at: Date): Promise<void> {
  await db('users').where({ id: userId, email_verified: null }).update({ email_verified: at, updated_at: db.fn.now() });
}

export async function hasVerifiedEmail(db: Db, userId: string): Promise<boolean> {
  const row = await db('users').where({ id: userId }).whereNotNull('email_verified').first('id');
  return row !== null;
}

export async function findFirstUserId(db: Db): Promise<string | null> {
  const row = await db('users').orderBy('created_at').orderBy('id').first('id');
  return row?.id ?? null;
}

const LAST_SEEN = '(select max(last_seen_at) from sessions where sessions.user_id = users.id)';

function accounts(db: Db, search: string) {
  const query = db('users');
  // Not a pattern: an address may contain its wildcards.
  if (search !== '') void query.whereRaw(`strpos(lower(email || ' ' || coalesce(name, '')), lower(?)) > 0`, [search]);
  return query;
}

export type PartOfAccounts = TimePart & { search: string };

/** Oldest first. */
export async function listAccountRows(
  db: Db,
  { search, limit, after = null, offset = 0 }: PartOfAccounts,
): Promise<(ManagedAccount & { place: TimePlace })[]> {
  const query = accounts(db, search)
    .select([
      ...MANAGED_COLUMNS,
      computed(db, 'last_seen_at', 'timestamptz or null', LAST_SEEN),
      computed(db, 'listed_at', 'text', 'users.created_at'),
    ])
    .orderBy(['created_at', 'id'])
    .limit(limit)
    .offset(offset);
  if (after !== null) void query.whereRaw('(users.created_at, users.id) > (?::timestamptz, ?::uuid)', after);
  return (await query).map(({ listedAt, ...account }) => ({ ...account, place: [listedAt, account.id] }));
}

export async function countAccounts(db: Db, search: string): Promise<number> {
  return countRows(accounts(db, search));
}

export async function findManagedAccount(db: Db, id: string): Promise<ManagedAccount | null> {
  return db('users')
    .where({ id })
    .first([...MANAGED_COLUMNS, computed(db, 'last_seen_at', 'timestamptz or null', LAST_SEEN)]);
}

/** Disabling ends sessions, sign-in links and own tokens by the version. False: it was so already. */
export async function writeDisabled(db: Db, id: string, at: Date | null): Promise<boolean> {
  const query = db('users').where({ id });
  const changed =
    at === null
      ? query.whereNotNull('disabled_at').update({ disabled_at: null, updated_at: db.fn.now() })
      : query.where({ disabled_at: null }).update({ disabled_at: at, ...signedOut(db) });
  return (await changed) === 1;
}

/** Null: no administrator, or no such account. */
export async function findAdministrator(db: Db, userId: string): Promise<AdministratorBy | null> {
  const row = await db('users').where({ id: userId }).first('administrator');
  return row?.administrator ?? null;
}

/**
 * Locks all administrators who may sign in, to the end of the transaction, so that if two leave at the same moment, one
 * stays. In one order, so that nobody waits in a circle.
 */
export async function lockAdministrators(trx: Db): Promise<string[]> {
  const rows = await trx('users')
    .whereNotNull('administrator')
    .where({ disabled_at: null })
    .orderBy('id')
    .forUpdate()
    .select('id');
  return rows.map(({ id }) => id);
}

export async function writeAdministrator(db: Db, userId: string, by: AdministratorBy | null): Promise<void> {
  await db('users').where({ id: userId }).update({ administrator: by, updated_at: db.fn.now() });
}
