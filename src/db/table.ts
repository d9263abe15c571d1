import type { Json, JsonColumns } from './json.ts';

/** A part of a statement that stands for a value. */
export interface Expression {
  toQuery(): string;
}

/** Marks a jsonb column in `tables.ts`. */
export type JsonColumn<Name extends string> = { readonly jsonb: Name };

type JsonIn<Name> = Name extends keyof JsonColumns ? JsonColumns[Name] : unknown;
type Read<Value> = Value extends JsonColumn<infer Name> ? JsonIn<Name> : Value;
type Written<Value> = (Value extends JsonColumn<infer Name> ? Json<JsonIn<Name>> : Value) | Expression;

type NullableIn<Row> = { [C in keyof Row]: null extends Row[C] ? C : never }[keyof Row];

/**
 * A table. A new row may omit columns in `Default` and those that may be null. Columns in `Generated` are never
 * written.
 */
export type Table<Columns, Default extends keyof Columns = never, Generated extends keyof Columns = never> = {
  row: { [C in keyof Columns]: Read<Columns[C]> };
  insert: { [C in Exclude<keyof Columns, NullableIn<Columns> | Default | Generated>]: Written<Columns[C]> } & {
    [C in Exclude<NullableIn<Columns> | Default, Generated>]?: Written<Columns[C]>;
  };
  update: { [C in Exclude<keyof Columns, Generated>]?: Written<Columns[C]> | undefined };
};
