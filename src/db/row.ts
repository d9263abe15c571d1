import type { Json } from './json.ts';
import type { Tables } from './tables.ts';

export type TableName = keyof Tables;
export type ColumnName<T extends TableName> = keyof Tables[T]['row'] & string;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** A row as a query returns it, see `camel-case.ts`. */
export type CamelCased<Columns> = { [C in keyof Columns & string as CamelCase<C>]: Columns[C] };

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

type Stored<Value> = Value extends null | undefined ? Value : Json<Value>;

/** Values on their way into a table, see `toColumns`. */
export type SnakeCased<Values, Jsonb> = {
  [K in keyof Values as SnakeCase<K & string>]: K extends Jsonb ? Stored<Values[K]> : Values[K];
};

/** A whole row of the table, in camelCase. */
export type Row<T extends TableName> = CamelCased<Tables[T]['row']>;
