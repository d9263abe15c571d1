import type { UserSummary } from '../auth/user.ts';
import type { Db } from '../db/database.ts';
import { computed } from '../db/computed.ts';
import type { Grant, GrantPlace, PartOfGrants, SharedSuite } from './grant.ts';
import { rolesBelow } from './role.ts';
import type { SuiteRole } from './role.ts';

const COLUMNS = [
  'grants.id',
  'grants.test_suite_id',
  'grants.principal_type',
  'grants.principal_id',
  'grants.role',
  'grants.created_at',
  'grants.updated_at',
  'person.id as user_id',
  'person.name as user_name',
  'person.email as user_email',
  'person.image as user_image',
  'granter.id as granter_id',
  'granter.name as granter_name',
  'granter.email as granter_email',
  'granter.image as granter_image',
] as const;

function grantsWithPeople(db: Db) {
  return db('test_suite_grants as grants')
    .leftJoin('users as person', (join) =>
      join.on('person.id', 'grants.principal_id').andOnVal('grants.principal_type', 'USER'),
    )
    .leftJoin('users as granter', 'granter.id', 'grants.granted_by')
    .select(COLUMNS);
}

type GrantRow = Awaited<ReturnType<typeof grantsWithPeople>>[number];

function summary(id: string | null, rest: Omit<UserSummary, 'id'>): UserSummary | null {
  return id === null ? null : { id, ...rest };
}

function toGrant(row: GrantRow): Grant {
  return {
    id: row.id,
    testSuiteId: row.testSuiteId,
    principal: { type: row.principalType, id: row.principalId },
    role: row.role,
    user: summary(row.userId, { name: row.userName, email: row.userEmail, image: row.userImage }),
    team: null,
    grantedBy: summary(row.granterId, { name: row.granterName, email: row.granterEmail, image: row.granterImage }),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** Without the owner, even if they have a row. Oldest first. */
export async function listSuiteGrants(
  db: Db,
  suite: SharedSuite,
  { limit, after = null, offset = 0 }: PartOfGrants,
): Promise<(Grant & { place: GrantPlace })[]> {
  const query = grantsWithPeople(db)
    .where('grants.test_suite_id', suite.id)
    .whereNot('grants.principal_id', suite.userId)
    .select(computed(db, 'listed_at', 'text', 'grants.created_at'))
    .orderBy(['grants.created_at', 'grants.id'])
    .limit(limit)
    .offset(offset);
  if (after !== null) void query.whereRaw('(grants.created_at, grants.id) > (?::timestamptz, ?::uuid)', after);
  return (await query).map((row) => ({ ...toGrant(row), place: [row.listedAt, row.id] }));
}

/** Null when the suite has no such grant. */
export async function findGrant(db: Db, suiteId: string, grantId: string): Promise<Grant | null> {
  const rows = await grantsWithPeople(db).where({
    'grants.test_suite_id': suiteId,
    'grants.id': grantId,
  });
  return rows.map(toGrant)[0] ?? null;
}

export type NewGrant = { suiteId: string; userId: string; role: SuiteRole | undefined; grantedBy: string };

/**
 * There is one grant per suite and account. Sharing again changes its role, if one is given, but not who created it. A
 * new grant without a role gets the column's default, VIEWER. Returns the id.
 */
export async function upsertUserGrant(db: Db, { suiteId, userId, role, grantedBy }: NewGrant): Promise<string> {
  const [row] = await db('test_suite_grants')
    .insert({
      test_suite_id: suiteId,
      principal_type: 'USER',
      principal_id: userId,
      granted_by: grantedBy,
      ...(role === undefined ? {} : { role }),
    })
    .onConflict(['test_suite_id', 'principal_type', 'principal_id'])
    .merge({ ...(role === undefined ? {} : { role }), updated_at: db.fn.now() })
    .returning('id');
  if (row === undefined) throw new Error('The upsert returned no grant');
  return row.id;
}

/** Makes the grant, or raises its role. Never lowers one. */
export async function raiseUserGrant(
  db: Db,
  { suiteId, userId, role, grantedBy }: NewGrant & { role: SuiteRole },
): Promise<void> {
  await db('test_suite_grants')
    .insert({ test_suite_id: suiteId, principal_type: 'USER', principal_id: userId, granted_by: grantedBy, role })
    .onConflict(['test_suite_id', 'principal_type', 'principal_id'])
    .merge({ role, updated_at: db.fn.now() })
    .whereIn('test_suite_grants.role', rolesBelow(role));
}

/** False: the suite has no such grant. */
export async function updateGrantRole(db: Db, suiteId: string, grantId: string, role: SuiteRole): Promise<boolean> {
  const updated = await db('test_suite_grants')
    .where({ id: grantId, test_suite_id: suiteId })
    .update({ role, updated_at: db.fn.now() });
  return updated === 1;
}

/** False: the suite has no such grant. */
export async function deleteGrant(db: Db, suiteId: string, grantId: string): Promise<boolean> {
  const deleted = await db('test_suite_grants').where({ id: grantId, test_suite_id: suiteId }).delete();
  return deleted === 1;
}
