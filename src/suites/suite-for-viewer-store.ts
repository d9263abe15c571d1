import { effectiveAccess } from '../access/authorized.ts';
import { personColumn } from '../auth/person-sql.ts';
import { computed, prepared, qualified, type Db } from '../db/database.ts';
import { readableSuiteIds } from './readable-sql.ts';
import { SUITE_COLUMNS, suiteFromRow, type SuiteForViewer } from './suite.ts';

const COLUMNS = [...qualified('test_suites', SUITE_COLUMNS), 'own_grant.role as granted_role'] as const;

/** Does not count the owner, even if they have a grant. */
const SHARE_COUNT = `(select count(*) from test_suite_grants as shares
  where shares.test_suite_id = test_suites.id and shares.principal_id <> test_suites.user_id)`;

const FOLLOWED = `exists (select from suite_follows as follow
  where follow.user_id = ? and follow.test_suite_id = test_suites.id)`;

/** Suites with their owner, the viewer's own access and the number of shares: one statement for any number of them. */
export function suitesFor(db: Db, viewerId: string) {
  return db('test_suites')
    .join('users as owner', 'owner.id', 'test_suites.user_id')
    .leftJoin('test_suite_grants as own_grant', (join) =>
      join
        .on('own_grant.test_suite_id', 'test_suites.id')
        .andOnVal('own_grant.principal_type', 'USER')
        .andOnVal('own_grant.principal_id', viewerId),
    )
    .select([
      ...COLUMNS,
      personColumn(db, 'owner', 'owner'),
      computed(db, 'share_count', 'bigint', SHARE_COUNT),
      computed(db, 'is_followed', 'boolean', FOLLOWED, [viewerId]),
    ]);
}
type Row = Awaited<ReturnType<typeof suitesFor>>[number];

/** Null for a suite that the viewer may not read. */
export function toSuiteFor(viewerId: string, row: Row): SuiteForViewer | null {
  const { grantedRole, shareCount, isFollowed, owner, ...suite } = row;
  const access = effectiveAccess(viewerId, { ownerId: suite.userId, grantedRole });
  if (access === null) return null;
  return { ...suiteFromRow(suite), owner, access, shareCount, isFollowed };
}

/** Null when the suite does not exist or the viewer has no access. */
export async function findSuiteFor(db: Db, viewerId: string, id: string): Promise<SuiteForViewer | null> {
  const row = await prepared(db, 'suite', suitesFor(db, viewerId).where({ 'test_suites.id': id })).first();
  return row === null ? null : toSuiteFor(viewerId, row);
}

export async function isReadable(db: Db, viewerId: string, id: string): Promise<boolean> {
  const row = await db('test_suites').where({ id }).whereIn('id', readableSuiteIds(db, viewerId)).first('id');
  return row !== null;
}

/** Following twice is no error. */
export async function insertFollows(db: Db, userId: string, suiteIds: readonly string[]): Promise<void> {
  if (suiteIds.length === 0) return;
  const rows = suiteIds.map((id) => ({ user_id: userId, test_suite_id: id }));
  await db('suite_follows').insert(rows).onConflict(['user_id', 'test_suite_id']).ignore();
}

export async function deleteFollow(db: Db, userId: string, suiteId: string): Promise<void> {
  await db('suite_follows').where({ user_id: userId, test_suite_id: suiteId }).delete();
}
