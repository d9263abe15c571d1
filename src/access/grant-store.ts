import { z } from 'zod';
import { personColumn } from '../auth/person-sql.ts';
import { computed, readValues, type Db } from '../db/database.ts';
import type { TimePart, TimePlace } from '../db/list-part.ts';
import { SUITE_ROLES, type Grant, type SharedSuite, type SuiteRole } from './role.ts';

const COLUMNS = [
  'grants.id',
  'grants.test_suite_id',
  'grants.principal_type',
  'grants.principal_id',
  'grants.role',
  'grants.created_at',
  'grants.updated_at',
] as const;

function grantsWithPeople(db: Db) {
  return db('test_suite_grants as grants')
    .leftJoin('users as person', (join) =>
      join.on('person.id', 'grants.principal_id').andOnVal('grants.principal_type', 'USER'),
    )
    .leftJoin('users as granter', 'granter.id', 'grants.granted_by')
    .select([...COLUMNS, personColumn(db, 'user', 'person'), personColumn(db, 'granted_by', 'granter')]);
}

type GrantRow = Awaited<ReturnType<typeof grantsWithPeople>>[number];

const toGrant = ({ principalType: type, principalId: id, ...row }: GrantRow): Grant => ({
  ...row,
  principal: { type, id },
  team: null,
});

/** Without the owner, even if they have a row. Oldest first. */
export async function listSuiteGrants(
  db: Db,
  suite: SharedSuite,
  { limit, after = null, offset = 0 }: TimePart,
): Promise<(Grant & { place: TimePlace })[]> {
  const query = grantsWithPeople(db)
    .where('grants.test_suite_id', suite.id)
    .whereNot('grants.principal_id', suite.userId)
    .select(computed(db, 'listed_at', 'text', 'grants.created_at'))
    .orderBy(['grants.created_at', 'grants.id'])
    .limit(limit)
    .offset(offset);
  if (after !== null) void query.whereRaw('(grants.created_at, grants.id) > (?::timestamptz, ?::uuid)', after);
  return (await query).map(({ listedAt, ...row }) => ({ ...toGrant(row), place: [listedAt, row.id] }));
}

/** Null when the suite has no such grant. */
export async function findGrant(db: Db, suiteId: string, grantId: string): Promise<Grant | null> {
  const rows = await grantsWithPeople(db).where({ 'grants.test_suite_id': suiteId, 'grants.id': grantId });
  return rows.map(toGrant)[0] ?? null;
}

/** The role that an account was granted. Null: none. */
export async function findRoleOf(db: Db, suiteId: string, userId: string): Promise<SuiteRole | null> {
  const row = await db('test_suite_grants')
    .where({ test_suite_id: suiteId, principal_type: 'USER', principal_id: userId })
    .first('role');
  return row?.role ?? null;
}

export type NewGrant = { suiteId: string; userId: string; role: SuiteRole | undefined; grantedBy: string };

/**
 * There is one grant per suite and account. Sharing again changes its role, if one is given and is among `from`, but
 * not who created it. A new grant without a role gets the column's default, VIEWER. With a new one, the account follows
 * the suite.
 * @returns the id. Null: its role is not among `from`.
 */
export async function upsertUserGrant(
  db: Db,
  { suiteId, userId, role, grantedBy }: NewGrant,
  from: readonly SuiteRole[] = SUITE_ROLES,
): Promise<string | null> {
  const [id = null] = await readValues(
    db,
    z.string(),
    `with granted as (
      insert into test_suite_grants (test_suite_id, principal_type, principal_id, granted_by, role)
      values (:suiteId, 'USER', :userId, :grantedBy, coalesce(:role, 'VIEWER'))
      on conflict on constraint test_suite_grants_principal_key
        do update set role = coalesce(:role, test_suite_grants.role), from_group = false, updated_at = now()
        where test_suite_grants.role = any(:from)
      returning id, xmax = 0 as is_new
    ), followed as (
      insert into suite_follows (user_id, test_suite_id) select :userId, :suiteId from granted where is_new
      on conflict do nothing
    )
    select id from granted`,
    { suiteId, userId, grantedBy, role: role ?? null, from: [...from] },
  );
  return id;
}

/** @param was only a grant with this role. False: the suite has no such grant. */
export async function updateGrantRole(
  db: Db,
  { suiteId, grantId, was }: { suiteId: string; grantId: string; was: SuiteRole | undefined },
  role: SuiteRole,
): Promise<boolean> {
  const updated = await db('test_suite_grants')
    .where({ id: grantId, test_suite_id: suiteId, ...(was === undefined ? {} : { role: was }) })
    .update({ role, from_group: false, updated_at: db.fn.now() });
  return updated === 1;
}

/** False: the suite has no such grant. */
export async function deleteGrant(db: Db, suiteId: string, grantId: string): Promise<boolean> {
  const deleted = await db('test_suite_grants').where({ id: grantId, test_suite_id: suiteId }).delete();
  return deleted === 1;
}

/** The role of a group. One that a person gave stays as it is. With a new grant, the account follows the suite. */
export async function upsertGroupGrant(
  db: Db,
  { suiteId, userId, role }: { suiteId: string; userId: string; role: SuiteRole },
): Promise<void> {
  await db.raw(
    `with granted as (
      insert into test_suite_grants (test_suite_id, principal_type, principal_id, role, from_group)
      values (:suiteId, 'USER', :userId, :role, true)
      on conflict on constraint test_suite_grants_principal_key
        do update set role = :role, updated_at = now()
        where test_suite_grants.from_group and test_suite_grants.role <> :role
      returning xmax = 0 as is_new
    )
    insert into suite_follows (user_id, test_suite_id) select :userId, :suiteId from granted where is_new
    on conflict do nothing`,
    { suiteId, userId, role },
  );
}

/** The roles that groups gave, except on these suites. */
export async function deleteGroupGrants(db: Db, userId: string, exceptSuites: string[]): Promise<void> {
  await db('test_suite_grants')
    .where({ principal_type: 'USER', principal_id: userId, from_group: true })
    .whereNotIn('test_suite_id', exceptSuites)
    .delete();
}

/** Returns the role that the account had. Null: it had none. */
export async function deleteUserGrant(db: Db, suiteId: string, userId: string): Promise<SuiteRole | null> {
  const [deleted] = await db('test_suite_grants')
    .where({ test_suite_id: suiteId, principal_type: 'USER', principal_id: userId })
    .delete(['role']);
  return deleted?.role ?? null;
}

/** Takes the roles of an account that becomes the owner. */
export async function dropGrants(db: Db, suiteIds: readonly string[], userId: string): Promise<void> {
  await db('test_suite_grants')
    .whereIn('test_suite_id', suiteIds)
    .where({ principal_type: 'USER', principal_id: userId })
    .delete();
}
