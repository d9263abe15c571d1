import type { Json, JsonColumns } from './json.ts';

/** A part of a statement, which stands for a value in it. */
export interface Expression {
  toQuery(): string;
}

/** Stands in `tables.ts` for a jsonb column. */
export type JsonColumn<Name extends string> = { readonly jsonb: Name };

type JsonIn<Name> = Name extends keyof JsonColumns ? JsonColumns[Name] : unknown;
type Read<Value> = Value extends JsonColumn<infer Name> ? JsonIn<Name> : Value;
type Written<Value> = (Value extends JsonColumn<infer Name> ? Json<JsonIn<Name>> : Value) | Expression;

type NullableIn<Row> = { [C in keyof Row]: null extends Row[C] ? C : never }[keyof Row];

/** A table. A new row needs no column of `Default`, nor one that may be null; nobody writes those of `Generated`. */
export type Table<Columns, Default extends keyof Columns = never, Generated extends keyof Columns = never> = {
  row: { [C in keyof Columns]: Read<Columns[C]> };
  insert: { [C in Exclude<keyof Columns, NullableIn<Columns> | Default | Generated>]: Written<Columns[C]> } & {
    [C in Exclude<NullableIn<Columns> | Default, Generated>]?: Written<Columns[C]>;
  };
  update: { [C in Exclude<keyof Columns, Generated>]?: Written<Columns[C]> | undefined };
};
