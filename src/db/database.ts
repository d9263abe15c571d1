import { z } from 'zod';
import type { Bindings, Computed, ComputedType, ComputedValue, Statements } from './query.ts';
import type { ColumnName, TableName } from './row.ts';

/** A pool or a transaction: whoever passes it owns the transaction. */
export interface Db extends Statements {
  isTransaction?: boolean;
  transaction<T>(work: (trx: Db) => Promise<T>): Promise<T>;
  destroy(): Promise<void>;
}

/**
 * Runs `work` in one transaction: all of it is committed when this resolves, none of it when it rejects. If `db` is
 * already a transaction, it is used as it is, so that use cases can be combined. Its owner commits. Nothing is
 * retried.
 */
export async function inTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction === true ? work(db) : db.transaction(work);
}

/**
 * All statements of `work` see the same snapshot. It must only read, and be short, because nothing is vacuumed
 * meanwhile.
 */
export async function inSnapshot<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction === true) return work(db);
  return db.transaction(async (trx) => {
    await trx.raw('set transaction isolation level repeatable read, read only');
    return work(trx);
  });
}

/** Until the transaction ends, others that lock the same name wait. @param kind such as `runs`: what is named */
export async function lockByName(trx: Db, kind: string, name: string): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`pixelgate ${kind} ${name}`]);
}

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

/** A column that the statement computes. The cast makes the database check the type, but not that it is never null. */
export function computed<Name extends string, Type extends ComputedType>(
  db: Statements,
  name: Name,
  type: Type,
  sql: string,
  bindings: Bindings = [],
): Computed<Name, ComputedValue<Type>> {
  const value = db.raw(`cast(${sql} as ${type.replace(' or null', '')}) as ${name}`, bindings);
  return Object.assign(value, { computed: { name } });
}

/** Columns with the name of their table, for statements on several tables. */
export function qualified<T extends TableName, C extends ColumnName<T>>(
  table: T,
  columns: readonly C[],
): `${T}.${C}`[] {
  return columns.map((column): `${T}.${C}` => `${table}.${column}`);
}

type NotNull<Row, Key extends keyof Row> = Row & { [K in Key]: NonNullable<Row[K]> };

/** True when none of those columns is null. */
export function hasAll<Row, Key extends keyof Row>(row: Row, ...keys: Key[]): row is NotNull<Row, Key> {
  return keys.every((key) => row[key] !== null);
}

/**
 * A row with columns that may be null in the table, but never in this kind of row.
 * @throws Error when one of them is
 */
export function notNull<Row, Key extends keyof Row>(row: Row, ...keys: Key[]): NotNull<Row, Key> {
  if (!hasAll(row, ...keys)) throw new Error(`A row has no ${keys.filter((key) => row[key] === null).join(', ')}`);
  return row;
}

/** The row without its columns that are null. The overload keeps the types, which `Object.fromEntries` loses. */
export function withoutNulls<Row extends object>(row: Row): { [K in keyof Row]?: NonNullable<Row[K]> };
export function withoutNulls(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

/** A query that has selected nothing yet. */
type Countable = { count(what: { total: '*' }): { first(): PromiseLike<{ total: number } | null> } };

/** How many rows a query finds. */
export async function countRows(query: Countable): Promise<number> {
  return (await query.count({ total: '*' }).first())?.total ?? 0;
}

/** A part of a statement with its bindings, as `whereRaw` takes them. */
export type Sql = [sql: string, bindings: (string | number | boolean | string[])[]];

/** The parts, one after the other, with their bindings. @param between such as ` and ` */
export const joinSql = (parts: readonly Sql[], between: string): Sql => [
  parts.map(([sql]) => sql).join(between),
  parts.flatMap(([, bindings]) => bindings),
];

/** The part if its only binding is given. */
export const given = (sql: string, value: Sql[1][number] | null | undefined): Sql[] =>
  value === undefined || value === null ? [] : [[sql, [value]]];
