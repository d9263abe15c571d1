import { z } from 'zod';
import type { Bindings, Statements } from './query.ts';

/** The maximum number of cached texts, more than the service has. */
const MOST_NAMES = 400;

const names = new Map<string, string>();

/**
 * Each connection prepares a named statement once, because planning takes as long as running most statements. Where
 * sessions are shared, nothing is prepared.
 */
const prepares = (db: Statements) => db.client.config.pooled !== true;

function nameOf(sql: string): string | null {
  const known = names.get(sql);
  if (known !== undefined || names.size === MOST_NAMES) return known ?? null;
  const name = `s${names.size}`;
  names.set(sql, name);
  return name;
}

/** `by values`: plans the statement each time, because a general plan cannot tell a common word from a rare one. */
type Planned = 'once' | 'by values';

/** The rows of a statement that is written as SQL: each is parsed by `shape`, which has its keys in camelCase. */
export async function readRows<T>(
  db: Statements,
  shape: z.ZodType<T>,
  sql: string,
  bindings: Bindings = [],
  planned: Planned = 'once',
): Promise<T[]> {
  const name = planned === 'once' && prepares(db) ? nameOf(sql) : null;
  const statement = db.raw(sql, bindings);
  const { rows } = await (name === null ? statement : statement.options({ name }));
  return rows.map((row) => shape.parse(row));
}

/** The row of a statement that always has exactly one, such as an update of a row that is locked. */
export function onlyOf<T>([found]: T[]): T {
  if (found === undefined) throw new Error('A statement that always has a row returned none');
  return found;
}

/** The row of a statement that always has exactly one, such as a count. */
export async function readRow<T>(
  db: Statements,
  shape: z.ZodType<T>,
  sql: string,
  bindings: Bindings = [],
  planned: Planned = 'once',
): Promise<T> {
  return onlyOf(await readRows(db, shape, sql, bindings, planned));
}

/** The values of the only column that the statement selects. */
export async function readValues<T>(
  db: Statements,
  value: z.ZodType<T>,
  sql: string,
  bindings: Bindings = [],
): Promise<T[]> {
  const rows = await readRows(db, z.record(z.string(), value), sql, bindings);
  return rows.flatMap((row) => Object.values(row));
}

/** The only value of a statement that always has exactly one. */
export async function readValue<T>(
  db: Statements,
  value: z.ZodType<T>,
  sql: string,
  bindings: Bindings = [],
): Promise<T> {
  return onlyOf(await readValues(db, value, sql, bindings));
}

/** The query, prepared. @param name unique among all queries that are prepared, and only used with this text */
export const prepared = <Q extends { options: (given: { name: string }) => Q }>(
  db: Statements,
  name: string,
  query: Q,
) => (prepares(db) ? query.options({ name }) : query);
