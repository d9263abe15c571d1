import { z } from 'zod';
import { personSql } from '../../auth/person-sql.ts';
import { toColumns } from '../../db/camel-case.ts';
import { countRows, onlyOf, readRows, type Db } from '../../db/database.ts';
import type { TimePart, TimePlace } from '../../db/list-part.ts';
import { fingerprintOf, IgnoredChange, type FoundDifference, type IgnoredChangeDraft } from './ignored-change.ts';

const IgnoredRow = IgnoredChange.extend({ listedAt: z.string() });

/** Newest first. `id`: only this one. */
export async function findIgnoredChanges(
  db: Db,
  suiteId: string,
  { limit, after, offset = 0, id = null }: TimePart & { id?: string | null },
): Promise<(IgnoredChange & { place: TimePlace })[]> {
  const [afterTime = null, afterId = null] = after ?? [];
  const rows = await readRows(
    db,
    IgnoredRow,
    `select ignored.id, test_suite_id, path, viewport, baseline_file, current_file, note, ${personSql('users')} as author,
            expires_at, uses, last_used_at, ignored.created_at, ignored.updated_at, ignored.created_at::text as listed_at
     from ignored_changes as ignored
     left join users on users.id = ignored.author_id
     where test_suite_id = :suiteId and (:id::uuid is null or ignored.id = :id)
       and (:afterTime::timestamptz is null or (ignored.created_at, ignored.id) < (:afterTime::timestamptz, :afterId::uuid))
     order by ignored.created_at desc, ignored.id desc limit :limit offset :offset`,
    { suiteId, id, afterTime, afterId, limit, offset },
  );
  return rows.map(({ listedAt, ...change }) => ({ ...change, place: [listedAt, change.id] }));
}

export async function countIgnoredChanges(db: Db, suiteId: string): Promise<number> {
  return countRows(db('ignored_changes').where({ test_suite_id: suiteId }));
}

export async function findIgnoredChange(db: Db, suiteId: string, id: string): Promise<IgnoredChange | null> {
  const [found = null] = await findIgnoredChanges(db, suiteId, { id, limit: 1 });
  return found;
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
    .whereRaw('(expires_at is null or expires_at > now())')
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
  const rows = await db('ignored_changes')
    .insert({ ...toColumns(draft), test_suite_id: suiteId })
    .onConflict(['test_suite_id', 'path', 'viewport', 'fingerprint'])
    .merge(['baseline_file', 'current_file', 'note', 'author_id', 'expires_at', 'updated_at'])
    .returning('id');
  return onlyOf(rows).id;
}

export async function deleteIgnoredChange(db: Db, suiteId: string, id: string): Promise<boolean> {
  return (await db('ignored_changes').where({ test_suite_id: suiteId, id }).delete()) === 1;
}
