import { z } from 'zod';
import type { Db } from './database.ts';
import { readRows } from './read-rows.ts';

/** Bytes. */
export async function readDatabaseSize(db: Db): Promise<number> {
  const sql = 'select pg_database_size(current_database()) as bytes';
  const [size] = await readRows(db, z.object({ bytes: z.number() }), sql);
  return size?.bytes ?? 0;
}
