import type { Db } from '../../db/database.ts';
import { json } from '../../db/json.ts';
import { qualified } from '../../db/qualified.ts';
import type { AccessChange, AccessKind, StoredAccess } from './site-access.ts';

/** How many changes of each suite are kept. */
const KEPT = 100;

const COLUMNS = [
  ...qualified('site_access', [
    'test_suite_id',
    'revision',
    'origin',
    'preview_hosts',
    'kinds',
    'sealed',
    'updated_at',
  ]),
  'test_suites.origin as suite_origin',
] as const;

export async function findSiteAccess(db: Db, suiteId: string): Promise<StoredAccess | null> {
  const row = await db('site_access')
    .join('test_suites', 'test_suites.id', 'site_access.test_suite_id')
    .where({ 'site_access.test_suite_id': suiteId })
    .first(COLUMNS);
  return row ?? null;
}

/** Replaces the stored access. Results of earlier logins are no longer used. */
export async function writeSiteAccess(
  db: Db,
  access: Omit<StoredAccess, 'revision' | 'suiteOrigin' | 'updatedAt'>,
): Promise<void> {
  const columns = {
    origin: access.origin,
    preview_hosts: json(access.previewHosts),
    kinds: json(access.kinds),
    sealed: access.sealed,
  };
  await db('site_access')
    .insert({ test_suite_id: access.testSuiteId, ...columns })
    .onConflict('test_suite_id')
    .merge({ ...columns, revision: db.raw('gen_random_uuid()'), updated_at: db.fn.now() });
}

/** In order of the suites, from after `after`. */
export async function findSealedAccess(
  db: Db,
  after: string | null,
  limit: number,
): Promise<{ testSuiteId: string; sealed: string }[]> {
  const query = db('site_access').orderBy('test_suite_id').limit(limit).select('test_suite_id', 'sealed');
  return after === null ? query : query.where('test_suite_id', '>', after);
}

/** False if it was changed in the meantime, and so was sealed with the new secret already. */
export async function replaceSealed(db: Db, testSuiteId: string, before: string, sealed: string): Promise<boolean> {
  return (await db('site_access').where({ test_suite_id: testSuiteId, sealed: before }).update({ sealed })) === 1;
}

/** False: there was none. */
export async function removeSiteAccess(db: Db, suiteId: string): Promise<boolean> {
  return (await db('site_access').where({ test_suite_id: suiteId }).delete()) === 1;
}

/** Deletes the oldest ones beside it. */
export async function insertAccessChange(
  db: Db,
  { testSuiteId, userId, kinds }: { testSuiteId: string; userId: string; kinds: AccessKind[] },
): Promise<void> {
  await db('site_access_changes').insert({ test_suite_id: testSuiteId, user_id: userId, kinds: json(kinds) });
  const old = db('site_access_changes')
    .where({ test_suite_id: testSuiteId })
    .orderBy('created_at', 'desc')
    .offset(KEPT)
    .select('id');
  await db('site_access_changes').whereIn('id', old).delete();
}

/** Newest first. */
export async function findAccessChanges(db: Db, suiteId: string, limit: number): Promise<AccessChange[]> {
  const rows = await db('site_access_changes')
    .leftJoin('users', 'users.id', 'site_access_changes.user_id')
    .where({ 'site_access_changes.test_suite_id': suiteId })
    .orderBy('site_access_changes.created_at', 'desc')
    .limit(limit)
    .select(
      'site_access_changes.created_at',
      'site_access_changes.kinds',
      'users.id as user_id',
      'users.name as user_name',
      'users.email as user_email',
      'users.image as user_image',
    );
  return rows.map(({ createdAt, kinds, userId, userName, userEmail, userImage }) => ({
    at: createdAt,
    by: userId === null ? null : { id: userId, name: userName, email: userEmail, image: userImage },
    kinds,
  }));
}
