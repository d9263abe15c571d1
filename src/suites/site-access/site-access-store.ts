import { personSql } from '../../auth/person-sql.ts';
import { toColumns } from '../../db/camel-case.ts';
import { qualified, readRows, type Db } from '../../db/database.ts';
import { ACCESS_COLUMNS, AccessChange, type StoredAccess } from './site-access.ts';

export async function findSiteAccess(db: Db, suiteId: string): Promise<StoredAccess | null> {
  return db('site_access')
    .join('test_suites', 'test_suites.id', 'site_access.test_suite_id')
    .where({ 'site_access.test_suite_id': suiteId })
    .first([...qualified('site_access', ACCESS_COLUMNS), 'test_suites.origin as suite_origin']);
}

/** Replaces the stored access. Results of earlier logins are no longer used. */
export async function writeSiteAccess(
  db: Db,
  access: Omit<StoredAccess, 'revision' | 'suiteOrigin' | 'updatedAt'>,
): Promise<void> {
  const columns = toColumns(access, ['previewHosts', 'kinds']);
  await db('site_access')
    .insert(columns)
    .onConflict('test_suite_id')
    .merge({ ...columns, revision: db.raw('gen_random_uuid()'), updated_at: db.fn.now() });
}

/** False: there was none. */
export async function removeSiteAccess(db: Db, suiteId: string): Promise<boolean> {
  return (await db('site_access').where({ test_suite_id: suiteId }).delete()) === 1;
}

/** Newest first, as they are recorded. */
export async function findAccessChanges(db: Db, suiteId: string, limit: number): Promise<AccessChange[]> {
  return readRows(
    db,
    AccessChange,
    `select events.at, ${personSql('users')} as by, events.details -> 'kinds' as kinds
     from events left join users on users.id = events.actor_id
     where events.suite_id = :suiteId and kind = 'site_access.changed'
     order by events.id desc limit :limit`,
    { suiteId, limit },
  );
}
