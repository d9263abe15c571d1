import { z } from 'zod';
import type { Db } from '../db/database.ts';
import { readRows } from '../db/read-rows.ts';

/** An object that a row names. `by`: which row. */
const NamedObject = z.object({ name: z.string(), by: z.string() });
export type NamedObject = z.infer<typeof NamedObject>;

/** By id. */
export async function findSuiteIds(db: Db, after: string | null, limit: number): Promise<string[]> {
  const query = db('test_suites').orderBy('id').limit(limit);
  if (after !== null) void query.where('id', '>', after);
  return query.pluck('id');
}

/** Of these ids, those of suites. */
export async function findSuitesAmong(db: Db, ids: string[]): Promise<Set<string>> {
  return new Set(await db('test_suites').whereIn('id', ids).pluck('id'));
}

/** Folders of the suite's builds. */
export async function findBuildFolders(db: Db, suiteId: string): Promise<Set<string>> {
  return new Set(
    await db('builds').where({ test_suite_id: suiteId }).whereNot({ status: 'EXPIRED' }).pluck('stored_as'),
  );
}

const VersionPlace = z.object({ id: z.string(), path: z.string(), viewport: z.string(), version: z.number() });
export type VersionPlace = z.infer<typeof VersionPlace>;

export async function findVersionPlaces(
  db: Db,
  suiteId: string,
  after: VersionPlace | null,
  limit: number,
): Promise<VersionPlace[]> {
  return readRows(
    db,
    VersionPlace,
    `select id, path, viewport, version from baseline_versions
     where test_suite_id = :suiteId
       ${after === null ? '' : 'and (path, viewport, version) > (:path, :viewport, :version)'}
     order by path, viewport, version limit :limit`,
    after === null
      ? { suiteId, limit }
      : { suiteId, limit, path: after.path, viewport: after.viewport, version: after.version },
  );
}

/** The images of versions, their element maps, and what their pages were made of. */
export async function findObjectsOfVersions(db: Db, ids: readonly string[]): Promise<NamedObject[]> {
  return readRows(
    db,
    NamedObject,
    `select object.name, 'version ' || version || ' of ' || path || ' at ' || viewport as by
     from baseline_versions cross join lateral (values (file_path), (elements_file), (manifest_file)) as object(name)
     where id = any(:ids::uuid[]) and object.name is not null`,
    { ids: [...ids] },
  );
}

/** By id. */
export async function findRunIdsOfSuite(
  db: Db,
  suiteId: string,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const query = db('test_runs').where({ test_suite_id: suiteId }).orderBy('id').limit(limit);
  if (after !== null) void query.where('id', '>', after);
  return query.pluck('id');
}

const ResultPlace = z.object({ id: z.string(), path: z.string(), viewport: z.string() });
export type ResultPlace = z.infer<typeof ResultPlace>;

export async function findResultPlaces(
  db: Db,
  runId: string,
  after: ResultPlace | null,
  limit: number,
): Promise<ResultPlace[]> {
  return readRows(
    db,
    ResultPlace,
    `select id, path, viewport from page_results
     where test_run_id = :runId ${after === null ? '' : 'and (path, viewport) > (:path, :viewport)'}
     order by path, viewport limit :limit`,
    after === null ? { runId, limit } : { runId, limit, path: after.path, viewport: after.viewport },
  );
}

export async function findObjectsOfResults(db: Db, ids: readonly string[]): Promise<NamedObject[]> {
  return readRows(
    db,
    NamedObject,
    `select object.name, 'result ' || id || ' of run ' || test_run_id as by
     from page_results
     cross join lateral (values (current_file), (baseline_file), (diff_file), (control_file), (elements_file),
       (control_elements_file), (aligned_baseline_file), (aligned_current_file), (base_file),
       (base_elements_file), (base_diff_file), (manifest_file)) as object(name)
     where id = any(:ids::uuid[]) and object.name is not null`,
    { ids: [...ids] },
  );
}

/** Of what people ignore, try and compare, by id. */
const OTHERS = {
  ignored_changes: `select id, array[baseline_file, current_file], 'ignored change ' || id from ignored_changes`,
  page_trials: `select id, array[file], 'trial ' || id from page_trials`,
  screenshot_comparisons: `select id, array[diff_file, aligned_from_file, aligned_to_file], 'comparison ' || id
    from screenshot_comparisons`,
};

export type OtherTable = keyof typeof OTHERS;

const OtherObjects = z.object({
  id: z.string(),
  names: z.array(z.string().nullable()),
  by: z.string(),
});
export type OtherObjects = z.infer<typeof OtherObjects>;

export async function findOtherObjects(
  db: Db,
  table: OtherTable,
  suiteId: string,
  after: OtherObjects | null,
  limit: number,
): Promise<OtherObjects[]> {
  const of = `select * from (${OTHERS[table]} where test_suite_id = :suiteId) as other(id, names, by)`;
  return readRows(
    db,
    OtherObjects,
    `${of} ${after === null ? '' : 'where id > :after::uuid'} order by id limit :limit`,
    after === null ? { suiteId, limit } : { suiteId, limit, after: after.id },
  );
}
