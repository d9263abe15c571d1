import type { z } from 'zod';
import type { Bindings, Statements } from './query.ts';

/** The rows of a statement that is written as SQL: each is parsed by `shape`, which has its keys in camelCase. */
export async function readRows<T>(
  db: Statements,
  shape: z.ZodType<T>,
  sql: string,
  bindings: Bindings = [],
): Promise<T[]> {
  const { rows } = await db.raw(sql, bindings);
  return rows.map((row) => shape.parse(row));
}
