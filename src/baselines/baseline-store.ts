import { computed, countRows, lockByName, prepared, qualified, type Db } from '../db/database.ts';
import type { ListPart } from '../db/list-part.ts';
import { BASELINE_COLUMNS, MADE_COLUMNS, type Baseline, type BaselinePlace, type BaselineVersion } from './baseline.ts';

/** The page may have moved to another origin since the version was approved. */
const URL_SQL = '(select origin from test_suites where test_suites.id = baselines.test_suite_id) || baselines.path';

const currentBaselines = (db: Db) =>
  db('baselines')
    .join('baseline_versions', 'baseline_versions.id', 'baselines.current_version_id')
    .select([
      ...qualified('baselines', BASELINE_COLUMNS),
      ...qualified('baseline_versions', MADE_COLUMNS),
      computed(db, 'url', 'text', URL_SQL),
    ]);

/** Locks the suite's promotions until the transaction ends, so version numbers can be read and then written. */
export async function lockPromotions(db: Db, suiteId: string): Promise<void> {
  await lockByName(db, 'promotions', suiteId);
}

/** By path and viewport. */
export async function findBaselines(
  db: Db,
  suiteId: string,
  { limit, after }: ListPart<BaselinePlace>,
): Promise<Baseline[]> {
  const query = currentBaselines(db).where({ 'baselines.test_suite_id': suiteId });
  if (after !== null) void query.whereRaw('(baselines.path, baselines.viewport) > (?, ?)', after);
  return query.orderBy(['baselines.path', 'baselines.viewport']).limit(limit);
}

/** An index alone answers it. */
export async function countBaselines(db: Db, suiteId: string): Promise<number> {
  return countRows(db('baselines').where({ test_suite_id: suiteId }));
}

/** What captures of these pages are compared with, by path and viewport. */
export async function findBaselinesOfPaths(db: Db, suiteId: string, paths: string[]): Promise<Baseline[]> {
  return currentBaselines(db)
    .where({ 'baselines.test_suite_id': suiteId })
    .whereIn('baselines.path', paths)
    .orderBy(['baselines.path', 'baselines.viewport']);
}

export async function findBaseline(db: Db, id: string): Promise<Baseline | null> {
  return prepared(db, 'baseline', currentBaselines(db).where({ 'baselines.id': id })).first();
}

/** Points each key at its new version. `isApproved`: a person approved that version. */
export async function setCurrentVersion(db: Db, versions: BaselineVersion[]): Promise<void> {
  await db('baselines')
    .insert(
      versions.map((version) => ({
        test_suite_id: version.testSuiteId,
        path: version.path,
        viewport: version.viewport,
        file_path: version.filePath,
        is_approved: version.source !== 'INITIAL',
        current_version: version.version,
        current_version_id: version.id,
      })),
    )
    .onConflict(db.raw('(test_suite_id, path, viewport)'))
    .merge({
      file_path: db.raw('excluded.file_path'),
      is_approved: db.raw('excluded.is_approved'),
      current_version: db.raw('excluded.current_version'),
      current_version_id: db.raw('excluded.current_version_id'),
      updated_at: db.fn.now(),
    });
}
