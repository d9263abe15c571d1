import type { Tables } from './tables.ts';

export type TableName = keyof Tables;
export type ColumnName<T extends TableName> = keyof Tables[T]['row'] & string;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** A row as a query returns it, see `camel-case.ts`. */
export type CamelCased<Columns> = { [C in keyof Columns & string as CamelCase<C>]: Columns[C] };

/** A whole row of the table, in camelCase. */
export type Row<T extends TableName> = CamelCased<Tables[T]['row']>;
