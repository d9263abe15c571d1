import { toColumns } from '../../db/camel-case.ts';
import { computed } from '../../db/computed.ts';
import { countRows } from '../../db/count-rows.ts';
import type { Db } from '../../db/database.ts';
import type { TimePart, TimePlace } from '../../db/list-part.ts';
import { qualified } from '../../db/qualified.ts';
import {
  fingerprintOf,
  IGNORED_CHANGE_COLUMNS,
  type FoundDifference,
  type IgnoredChange,
  type IgnoredChangeDraft,
} from './ignored-change.ts';

const ignoredChanges = (db: Db) =>
  db('ignored_changes')
    .leftJoin('users', 'users.id', 'ignored_changes.author_id')
    .select([
      ...qualified('ignored_changes', IGNORED_CHANGE_COLUMNS),
      'users.name as author_name',
      'users.email as author_email',
    ]);

const notExpired = '(ignored_changes.expires_at is null or ignored_changes.expires_at > now())';

/** Newest first. */
export async function findIgnoredChanges(
  db: Db,
  suiteId: string,
  { limit, after = null, offset = 0 }: TimePart,
): Promise<(IgnoredChange & { place: TimePlace })[]> {
  const query = ignoredChanges(db)
    .where({ 'ignored_changes.test_suite_id': suiteId })
    .select(computed(db, 'listed_at', 'text', 'ignored_changes.created_at'))
    .orderBy([
      { column: 'ignored_changes.created_at', order: 'desc' },
      { column: 'ignored_changes.id', order: 'desc' },
    ])
    .limit(limit)
    .offset(offset);
  if (after !== null) {
    void query.whereRaw('(ignored_changes.created_at, ignored_changes.id) < (?::timestamptz, ?::uuid)', after);
  }
  return (await query).map(({ listedAt, ...row }) => ({ ...row, place: [listedAt, row.id] }));
}

export async function countIgnoredChanges(db: Db, suiteId: string): Promise<number> {
  return countRows(db('ignored_changes').where({ test_suite_id: suiteId }));
}

export async function findIgnoredChange(db: Db, suiteId: string, id: string): Promise<IgnoredChange | null> {
  return ignoredChanges(db).where({ 'ignored_changes.test_suite_id': suiteId, 'ignored_changes.id': id }).first();
}

/**
 * The id of an ignored change that matches this one, by its screenshots or its fingerprint, and has not expired. What
 * assistive technology hears is only in the fingerprint.
 */
export async function findMatchingIgnoredChange(
  db: Db,
  suiteId: string,
  change: FoundDifference & { path: string; viewport: string },
): Promise<string | null> {
  const row = await db('ignored_changes')
    .where({ test_suite_id: suiteId, path: change.path, viewport: change.viewport })
    .whereRaw(notExpired)
    .where((same) => {
      void same.where({ fingerprint: fingerprintOf(change) });
      if (change.heardKey !== null) return;
      void same.orWhere({ baseline_file: change.baselineFile, current_file: change.currentFile });
    })
    .first('id');
  return row?.id ?? null;
}

export async function countUse(db: Db, id: string): Promise<void> {
  await db('ignored_changes')
    .where({ id })
    .update({ uses: db.raw('uses + 1'), last_used_at: db.fn.now(), updated_at: db.fn.now() });
}

/** If it was ignored before, its author and expiry are updated. */
export async function saveIgnoredChange(db: Db, suiteId: string, draft: IgnoredChangeDraft): Promise<string> {
  const [row] = await db('ignored_changes')
    .insert({ ...toColumns(draft), test_suite_id: suiteId })
    .onConflict(['test_suite_id', 'path', 'viewport', 'fingerprint'])
    .merge(['baseline_file', 'current_file', 'note', 'author_id', 'expires_at', 'updated_at'])
    .returning('id');
  if (row === undefined) throw new Error('An ignored change was not saved');
  return row.id;
}

export async function deleteIgnoredChange(db: Db, suiteId: string, id: string): Promise<boolean> {
  return (await db('ignored_changes').where({ test_suite_id: suiteId, id }).delete()) === 1;
}
