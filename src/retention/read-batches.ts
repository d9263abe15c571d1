import type { z } from 'zod';
import type { Db } from '../db/database.ts';
import { readRows } from '../db/read-rows.ts';

const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * The rows of a statement, in batches ordered by their uuid `id`. One batch is in memory at a time. `key` is `:key` in
 * the statement. No snapshot is held between two batches: that would keep the database from vacuuming.
 */
export async function* readBatches<T extends { id: string }>(
  db: Db,
  shape: z.ZodType<T>,
  { sql, key, size }: { sql: string; key: string; size: number },
): AsyncGenerator<T[]> {
  let after = FIRST;
  for (;;) {
    const page = `select * from (${sql}) as rows where id > :after::uuid order by id limit :size`;
    const rows = await readRows(db, shape, page, { key, after, size });
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
    after = last.id;
  }
}
