import { personColumn } from '../auth/person-sql.ts';
import { toColumns } from '../db/camel-case.ts';
import { computed, qualified, type Db } from '../db/database.ts';
import type { ListPart } from '../db/list-part.ts';
import type { SuiteFor } from '../suites/suite.ts';
import {
  MAKING_COLUMNS,
  VERSION_COLUMNS,
  type BaselineVersion,
  type BaselineVersionEvent,
  type EventPlace,
  type HistoryPart,
  type KnownMaking,
  type Making,
  type VersionDraft,
  type VersionPlace,
} from './baseline.ts';
import { STANDING_SQL } from './version-sql.ts';

function versionsWithApprovers(db: Db) {
  return db('baseline_versions')
    .leftJoin('users', 'users.id', 'baseline_versions.approved_by')
    .select([...qualified('baseline_versions', VERSION_COLUMNS), personColumn(db, 'approved_by', 'users')]);
}

export async function insertVersions(
  db: Db,
  suite: { id: string; origin: string },
  drafts: VersionDraft[],
): Promise<BaselineVersion[]> {
  const ids = await db('baseline_versions')
    .insert(
      drafts.map(({ approvedById, ...draft }) => ({
        ...toColumns(draft, ['captureWay']),
        test_suite_id: suite.id,
        url: suite.origin + draft.path,
        approved_by: approvedById,
      })),
    )
    .returning('id');
  return findVersions(
    db,
    ids.map((row) => row.id),
  );
}

export async function findVersions(db: Db, ids: string[]): Promise<BaselineVersion[]> {
  return versionsWithApprovers(db).whereIn('baseline_versions.id', ids);
}

/** Which of these page results a person has already promoted to a version, without an undo since. */
export async function findPromotedResults(db: Db, pageResultIds: string[]): Promise<Set<string>> {
  const rows = await db('baseline_versions')
    .whereIn('page_result_id', pageResultIds)
    .whereRaw(STANDING_SQL)
    .select('page_result_id');
  return new Set(rows.flatMap(({ pageResultId }) => pageResultId ?? []));
}

/** Newest first within each path and viewport. */
export async function findSuiteVersions(
  db: Db,
  suiteId: string,
  filter: { path?: string | undefined; viewport?: string | undefined },
  { limit, after }: ListPart<VersionPlace>,
): Promise<BaselineVersion[]> {
  const query = versionsWithApprovers(db)
    .where({ test_suite_id: suiteId })
    .orderBy(['path', 'viewport'])
    .orderBy('version', 'desc')
    .limit(limit);
  if (filter.path !== undefined) void query.where({ path: filter.path });
  if (filter.viewport !== undefined) void query.where({ viewport: filter.viewport });
  if (after !== null) {
    void query
      .whereRaw('(path, viewport) >= (?, ?)', after.slice(0, 2))
      .whereRaw('((path, viewport) > (?, ?) or version < ?)', after);
  }
  return query;
}

/**
 * The current version of a page at each viewport, ordered by viewport. Versions are numbered without a gap, so its number
 * is also how many there are.
 */
export async function readCurrentVersions(
  db: Db,
  suite: SuiteFor,
  { path }: { path: string },
): Promise<BaselineVersion[]> {
  return versionsWithApprovers(db)
    .join('baselines', 'baselines.current_version_id', 'baseline_versions.id')
    .where({ 'baselines.test_suite_id': suite.id, 'baselines.path': path })
    .orderBy('baseline_versions.viewport');
}

/** A page's timeline, newest first, each version with the one it replaced. */
export async function findEvents(
  db: Db,
  suiteId: string,
  path: string,
  { viewport, limit, after, ids }: HistoryPart,
): Promise<(BaselineVersionEvent & { place: EventPlace })[]> {
  const query = versionsWithApprovers(db)
    .leftJoin('baseline_versions as previous', (join) =>
      join
        .on('previous.test_suite_id', 'baseline_versions.test_suite_id')
        .andOn('previous.path', 'baseline_versions.path')
        .andOn('previous.viewport', 'baseline_versions.viewport')
        .andOn('previous.version', db.raw('baseline_versions.version - 1')),
    )
    .select(
      'previous.file_path as previous_file_path',
      'previous.id as previous_version_id',
      computed(db, 'listed_at', 'text', 'baseline_versions.approved_at'),
    )
    .where({ 'baseline_versions.test_suite_id': suiteId, 'baseline_versions.path': path })
    .orderBy('baseline_versions.approved_at', 'desc')
    .orderBy('baseline_versions.version', 'desc')
    .orderBy('baseline_versions.viewport', 'desc')
    .limit(limit);
  if (ids !== undefined) void query.whereIn('baseline_versions.id', ids);
  if (viewport !== undefined) void query.where({ 'baseline_versions.viewport': viewport });
  if (after !== null) {
    void query.whereRaw(
      '(baseline_versions.approved_at, baseline_versions.version, baseline_versions.viewport) < (?::timestamptz, ?, ?)',
      after,
    );
  }
  return (await query).map(({ listedAt, ...row }) => ({
    ...row,
    place: [listedAt, row.version, row.viewport],
  }));
}

/** What is known of how a version's screenshot was made. It is kept when the version is restored. */
export async function findMaking(db: Db, id: string): Promise<Making | null> {
  return db('baseline_versions').where({ id }).first(MAKING_COLUMNS);
}

/** Stores what has become known about how the version's screenshot was made, or how its page sounds now. */
export async function keepMaking(db: Db, id: string, known: Partial<KnownMaking>): Promise<void> {
  await db('baseline_versions')
    .where({ id })
    .update(toColumns(known, ['captureWay']));
}

/**
 * Whether a version of the key has this screenshot, and a later one came from a preview or through the API. A site that
 * looks like this still shows the older version, because what was promoted is not deployed yet. Then it has not drifted.
 */
export async function hasPromotionSince(
  db: Db,
  suiteId: string,
  { path, viewport, filePath }: { path: string; viewport: string; filePath: string },
): Promise<boolean> {
  const row = await db('baseline_versions')
    .where({ test_suite_id: suiteId, path, viewport })
    .whereIn('source', ['PR_MERGE', 'BRANCH', 'API'])
    .whereRaw(
      `version > (
         select max(shown.version) from baseline_versions as shown
         where shown.test_suite_id = ? and shown.path = ? and shown.viewport = ? and shown.file_path = ?
       )`,
      [suiteId, path, viewport, filePath],
    )
    .first('id');
  return row !== null;
}
