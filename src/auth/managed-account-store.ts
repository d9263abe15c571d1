import { computed, countRows, type Db } from '../db/database.ts';
import type { TimePart, TimePlace } from '../db/list-part.ts';
import { MANAGED_COLUMNS, type AdministratorBy, type ManagedAccount } from './managed-account.ts';

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
      : query.where({ disabled_at: null }).update({
          disabled_at: at,
          session_version: db.raw('session_version + 1'),
          updated_at: db.fn.now(),
        });
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
