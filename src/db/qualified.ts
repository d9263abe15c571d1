import type { ColumnName, TableName } from './row.ts';

/** Columns with the name of their table, for statements on several tables. */
export function qualified<T extends TableName, C extends ColumnName<T>>(
  table: T,
  columns: readonly C[],
): `${T}.${C}`[] {
  return columns.map((column): `${T}.${C}` => `${table}.${column}`);
}
