import type { Json, JsonColumns } from './json.ts';

/** A part of a statement that stands for a value. */
export interface Expression {
  toQuery(): string;
}

/** Marks a jsonb column in `tables.ts`. */
export type JsonColumn<Name extends string> = { readonly jsonb: Name };

/** Marks a column in `tables.ts` that a new row may omit, although it is never null. */
export type Defaulted<Value> = { readonly defaulted: Value };

/** Marks a column in `tables.ts` that is never written. */
export type Generated<Value> = { readonly generated: Value };

type JsonIn<Name> = Name extends keyof JsonColumns ? JsonColumns[Name] : unknown;
type Plain<Column> = Column extends Defaulted<infer Value> | Generated<infer Value> ? Value : Column;
type Read<Value> = Value extends JsonColumn<infer Name> ? JsonIn<Name> : Value;
type Written<Value> = (Value extends JsonColumn<infer Name> ? Json<JsonIn<Name>> : Value) | Expression;

type WrittenIn<Columns> = { [C in keyof Columns]: Columns[C] extends Generated<unknown> ? never : C }[keyof Columns];
type OptionalIn<Columns> = {
  [C in keyof Columns]: null extends Columns[C] ? C : Columns[C] extends Defaulted<unknown> ? C : never;
}[keyof Columns];

/** A table. A new row may omit columns that have a default or may be null. */
export type Table<Columns> = {
  row: { [C in keyof Columns]: Read<Plain<Columns[C]>> };
  insert: { [C in Exclude<WrittenIn<Columns>, OptionalIn<Columns>>]: Written<Plain<Columns[C]>> } & {
    [C in Extract<WrittenIn<Columns>, OptionalIn<Columns>>]?: Written<Plain<Columns[C]>>;
  };
  update: { [C in WrittenIn<Columns>]?: Written<Plain<Columns[C]>> | undefined };
};
