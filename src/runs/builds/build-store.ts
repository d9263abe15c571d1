import { toColumns } from '../../db/camel-case.ts';
import { lockByName, type Db } from '../../db/database.ts';
import { IN_FLIGHT } from '../run.ts';
import { BUILD_COLUMNS, type Build, type KeptBuild } from './build.ts';

export type NewBuild = Pick<Build, 'testSuiteId' | 'digest' | 'files' | 'bytes' | 'headSha'> & { createdBy: string };

/**
 * Adds a build that shares the objects of one with the same files. The lock keeps those until this transaction ends.
 * Null: there is no such build.
 */
export async function insertTwin(db: Db, build: NewBuild): Promise<Build | null> {
  const twin = await db('builds')
    .where({ test_suite_id: build.testSuiteId, digest: build.digest, status: 'READY' })
    .orderBy('created_at')
    .forUpdate()
    .first('stored_as');
  return twin === null ? null : insertBuild(db, build, { status: 'READY', storedAs: twin.storedAs });
}

/** Without `as`, its objects still have to be stored. */
export async function insertBuild(
  db: Db,
  build: NewBuild,
  as: { status: 'READY'; storedAs: string } | null = null,
): Promise<Build> {
  const [row] = await db('builds')
    .insert({ ...toColumns(build), ...(as === null ? {} : toColumns(as)) })
    .returning(BUILD_COLUMNS);
  return row;
}

/** False: it was removed in the meantime. */
export async function markReady(db: Db, id: string): Promise<boolean> {
  return (await db('builds').where({ id, status: 'STORING' }).update({ status: 'READY' })) === 1;
}

/** Null: the suite has no such build that is ready. */
export async function findBuild(db: Db, testSuiteId: string, id: string): Promise<Build | null> {
  return db('builds').where({ id, test_suite_id: testSuiteId, status: 'READY' }).first(BUILD_COLUMNS);
}

/** The same, locked until the transaction ends. */
export async function lockBuild(db: Db, testSuiteId: string, id: string): Promise<Build | null> {
  return db('builds').where({ id, test_suite_id: testSuiteId, status: 'READY' }).forShare().first(BUILD_COLUMNS);
}

export async function findBuildOfCommit(db: Db, testSuiteId: string, headSha: string): Promise<Build | null> {
  return db('builds')
    .where({ test_suite_id: testSuiteId, head_sha: headSha, status: 'READY' })
    .orderBy('created_at', 'desc')
    .first(BUILD_COLUMNS);
}

/** One upload to the suite at a time makes room, until its transaction ends. */
export async function lockUploads(trx: Db, testSuiteId: string): Promise<void> {
  await lockByName(trx, 'uploads', testSuiteId);
}

/**
 * Builds of the suite whose files are kept, oldest first. Until the transaction ends, no new run can use one of them.
 */
export async function lockKeptBuilds(db: Db, testSuiteId: string): Promise<KeptBuild[]> {
  const kept = await db('builds')
    .where({ test_suite_id: testSuiteId })
    .whereNot({ status: 'EXPIRED' })
    .orderBy('created_at')
    .forUpdate()
    .select('id', 'stored_as', 'digest', 'bytes', 'status');
  // A run may have started while this waited for the locks.
  const ids = kept.map(({ id }) => id);
  const captured = await db('test_runs').whereIn('build_id', ids).whereIn('status', IN_FLIGHT).pluck('build_id');
  return kept.map(({ status, ...build }) => ({
    ...build,
    isNeeded: status === 'STORING' || captured.includes(build.id),
  }));
}

/** The rows are kept for their runs, without files. */
export async function markExpired(db: Db, ids: string[]): Promise<void> {
  await db('builds').whereIn('id', ids).update({ status: 'EXPIRED' });
}

/** Does nothing if it is stored, or was removed already. */
export async function removeStoring(db: Db, id: string): Promise<void> {
  await db('builds').where({ id, status: 'STORING' }).delete();
}

/**
 * Removes builds that no run uses. Those with an aborted upload are removed earlier, and those without files
 * immediately.
 */
export async function removeUnusedBuilds(
  db: Db,
  before: { ready: Date; storing: Date },
  limit: number,
): Promise<Pick<Build, 'testSuiteId' | 'storedAs'>[]> {
  const unused = db('builds')
    .whereNotExists(db('test_runs').whereRaw('test_runs.build_id = builds.id').select('id'))
    .where(
      (either) =>
        void either
          .where({ status: 'EXPIRED' })
          .orWhere((ready) => void ready.where({ status: 'READY' }).where('created_at', '<', before.ready))
          .orWhere((storing) => void storing.where({ status: 'STORING' }).where('created_at', '<', before.storing)),
    )
    .orderBy('created_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .select('id');
  return db('builds').whereIn('id', unused).delete(['test_suite_id', 'stored_as']);
}

/** Whether any build of the suite still has its objects in this folder. */
export async function hasBuildStoredAs(db: Db, testSuiteId: string, storedAs: string): Promise<boolean> {
  const kept = db('builds').where({ test_suite_id: testSuiteId, stored_as: storedAs }).whereNot({ status: 'EXPIRED' });
  return (await kept.first('id')) !== null;
}
