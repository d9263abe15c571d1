import type { Knex } from 'knex';
import type { CamelCased, ColumnName, TableName } from './row.ts';
import type { Expression } from './table.ts';
import type { Tables } from './tables.ts';

/*
 * The types of our queries. Those of knex take any text for a column and answer `any`; here every column must be one of
 * the tables that the statement names, and its rows have the types of what it selects. Add what you need of knex: the
 * compiler checks that knex has it. `S`, the scope, is the columns of those tables by the name of each in the statement.
 */

export type Bindings = readonly Knex.RawBinding[] | Knex.ValueDict;

type Answer<T> = Pick<Promise<T>, 'then' | 'catch' | 'finally'>;

/** SQL as text: a part of a statement, or a whole one, whose rows have no known type. */
interface Raw extends Expression, Answer<{ rows: unknown[]; rowCount: number | null }> {
  /** `name`: the driver prepares the statement under this name. */
  options(given: { name: string }): Raw;
}

/** The types of values that a statement may compute. */
type ComputedTypes = {
  bigint: number;
  boolean: boolean;
  text: string;
  timestamptz: Date;
};
export type ComputedType = keyof ComputedTypes | `${keyof ComputedTypes} or null`;

/** A named value that the statement computes, see `computed`. */
export type Computed<Name extends string, Value> = Raw & { computed: { name: Name; value?: Value } };

export type ComputedValue<Type> = Type extends keyof ComputedTypes
  ? ComputedTypes[Type]
  : Type extends `${infer Some extends keyof ComputedTypes} or null`
    ? ComputedTypes[Some] | null
    : never;

type Qualified<S> = { [A in keyof S & string]: `${A}.${keyof S[A] & string}` }[keyof S & string];
type Unqualified<S> = { [A in keyof S]: keyof S[A] & string }[keyof S];
type Column<S> = Qualified<S> | Unqualified<S>;

type ValueOf<S, C> = C extends `${infer A}.${infer Name}`
  ? A extends keyof S
    ? Name extends keyof S[A]
      ? S[A][Name]
      : never
    : never
  : { [A in keyof S]: C extends keyof S[A] ? S[A][C] : never }[keyof S];

/** Refuses keys that `Known` does not have. TypeScript itself does so only in an object literal. */
type Exact<Known, T> = T & Known & { [K in keyof T]: K extends keyof Known ? unknown : never };

type Conditions<S> = { [C in Column<S>]?: ValueOf<S, C> | Expression };
type Operand<S, C> = ValueOf<S, C> | Expression | Subquery<ValueOf<S, C>>;
type Values<S, C> = readonly ValueOf<S, C>[] | Subquery<ValueOf<S, C>>;
type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** A query of one column. */
type Subquery<Value> = Answer<Record<string, Value>[]>;

/** Conditions of a statement. */
interface Filter<S> {
  where(nested: (conditions: Filter<S>) => void): this;
  where<const T>(conditions: Exact<Conditions<S>, T>): this;
  where<C extends Column<S>>(column: C, value: Operand<S, C>): this;
  where<C extends Column<S>>(column: C, comparison: Comparison, value: Operand<S, C>): this;
  orWhere(nested: (conditions: Filter<S>) => void): this;
  orWhere<const T>(conditions: Exact<Conditions<S>, T>): this;
  whereNot<const T>(conditions: Exact<Conditions<S>, T>): this;
  whereNot<C extends Column<S>>(column: C, value: Operand<S, C>): this;
  whereIn<C extends Column<S>>(column: C, values: Values<S, C>): this;
  orWhereIn<C extends Column<S>>(column: C, values: Values<S, C>): this;
  whereNotIn<C extends Column<S>>(column: C, values: Values<S, C>): this;
  whereNull(column: Column<S>): this;
  whereNotNull(column: Column<S>): this;
  whereExists(query: Answer<unknown[]>): this;
  whereNotExists(query: Answer<unknown[]>): this;
  whereRaw(sql: string, bindings?: Bindings): this;
}

type Selectable<S> = Column<S> | `${Column<S>} as ${string}` | Computed<string, unknown>;
/** Columns one by one, or in one list. knex ignores a second list. */
type Selection<S> = readonly Selectable<S>[] | readonly [readonly Selectable<S>[]];
type ItemOf<L> = L extends readonly (infer I)[] ? (I extends readonly (infer X)[] ? X : I) : never;

type NameOf<I> =
  I extends Computed<infer Name, unknown>
    ? Name
    : I extends `${string} as ${infer Alias}`
      ? Alias
      : I extends `${string}.${infer Name}`
        ? Name
        : I;
type SelectedValue<S, I> =
  I extends Computed<string, infer Value> ? Value : I extends `${infer C} as ${string}` ? ValueOf<S, C> : ValueOf<S, I>;

/** What the list `L` selects, by the names in the statement. */
type Selected<S, L> = { [I in ItemOf<L> as NameOf<I> & string]: SelectedValue<S, I> };

/** The row that the list `L` selects from one table, in camelCase. */
export type SelectedRow<T extends TableName, L> = CamelCased<Selected<{ [Name in T]: Tables[T]['row'] }, L>>;

type Order<Key> = Key | { column: Key; order?: 'asc' | 'desc' };

/** `Picked` is what is selected so far, by the names in the statement; `Result` is what awaiting the query gives. */
interface Query<S, Picked, Result> extends Filter<S>, Answer<Result> {
  join<R extends TableReference>(table: R, column: Key<S, R>, other: Key<S, R>): Joined<S, R, Picked>;
  join<R extends TableReference>(table: R, on: (clause: JoinClause<S, R>) => void): Joined<S, R, Picked>;
  leftJoin<R extends TableReference>(table: R, column: Key<S, R>, other: Key<S, R>): LeftJoined<S, R, Picked>;
  leftJoin<R extends TableReference>(table: R, on: (clause: JoinClause<S, R>) => void): LeftJoined<S, R, Picked>;

  select<const L extends Selection<S>>(
    ...columns: L
  ): Query<S, Picked & Selected<S, L>, CamelCased<Picked & Selected<S, L>>[]>;
  /** Null when there is no row, see `camelCaseRows`. */
  first(): Answer<(Result extends (infer One)[] ? One : never) | null>;
  first<const L extends Selection<S>>(...columns: L): Answer<CamelCased<Selected<S, L>> | null>;
  pluck<C extends Column<S>>(column: C): Answer<ValueOf<S, C>[]>;
  count<Name extends string>(
    what: Record<Name, Column<S> | '*'>,
  ): Query<S, Record<Name, number>, CamelCased<Record<Name, number>>[]>;
  distinctOn(...columns: Column<S>[]): this;

  groupBy(...columns: Column<S>[]): this;
  orderBy(column: Column<S> | (keyof Picked & string), order?: 'asc' | 'desc'): this;
  orderBy(columns: Order<Column<S> | (keyof Picked & string)>[]): this;
  orderByRaw(sql: string, bindings?: Bindings): this;
  limit(count: number): this;
  offset(count: number): this;
  forUpdate(...tables: (keyof S & string)[]): this;
  forNoKeyUpdate(...tables: (keyof S & string)[]): this;
  forShare(...tables: (keyof S & string)[]): this;
  forKeyShare(...tables: (keyof S & string)[]): this;
  skipLocked(): this;

  /** See `prepared`. */
  options(given: { name: string }): this;
}

type TableReference = TableName | `${TableName} as ${string}`;
type TableIn<R> = R extends `${infer T} as ${string}` ? T : R;
type NameIn<R> = R extends `${string} as ${infer Name}` ? Name : R;
type RowIn<R> = TableIn<R> extends TableName ? Tables[TableIn<R>]['row'] : never;
type ScopeOf<R> = { [Name in NameIn<R> & string]: RowIn<R> };
/** A left join may find no row. */
type Missing<S> = { [A in keyof S]: { [C in keyof S[A]]: S[A][C] | null } };

type Joined<S, R, Picked> = Query<S & ScopeOf<R>, Picked, CamelCased<Picked>[]>;
type LeftJoined<S, R, Picked> = Query<S & Missing<ScopeOf<R>>, Picked, CamelCased<Picked>[]>;

type Key<S, R> = Qualified<S & ScopeOf<R>>;

interface JoinClause<S, R> {
  on(column: Key<S, R>, other: Key<S, R> | Expression): this;
  andOn(column: Key<S, R>, other: Key<S, R> | Expression): this;
  andOnVal<C extends Key<S, R>>(column: C, value: ValueOf<S & ScopeOf<R>, C>): this;
}

/** A statement on one table, which may also change it. */
interface TableQuery<T extends TableName, S, Result> extends Query<S, unknown, Result> {
  insert<const V>(row: Exact<Tables[T]['insert'], V>): Inserted<T, S, 'one'>;
  insert<const V>(rows: readonly Exact<Tables[T]['insert'], V>[]): Inserted<T, S, 'any'>;
  update<const V>(values: Exact<Tables[T]['update'], V>): Changed<S, number>;
  delete(): Changed<S, number>;
  delete<const L extends readonly Selectable<S>[]>(columns: L): Answer<CamelCased<Selected<S, L>>[]>;
  decrement(column: keyof Tables[T]['update'] & string, amount: number): Changed<S, number>;
}

/** `Count`: how many rows the statement returns if it does not fail. */
interface Changed<S, Result, Count = 'any'> extends Filter<S>, Answer<Result> {
  returning<const L extends Selectable<S> | readonly Selectable<S>[]>(
    columns: L,
  ): Answer<Rows<CamelCased<Selected<S, L extends readonly unknown[] ? L : readonly [L]>>, Count>>;
}

type Rows<Row, Count> = Count extends 'one' ? [Row] : Row[];

interface Inserted<T extends TableName, S, Count> extends Changed<S, unknown, Count> {
  onConflict(columns: ColumnName<T> | readonly ColumnName<T>[] | Expression): OnConflict<T, S>;
}

interface OnConflict<T extends TableName, S> {
  ignore(): Changed<S, unknown>;
  merge(columns: readonly ColumnName<T>[]): Changed<S, unknown>;
  merge<const V>(values: Exact<Tables[T]['update'], V>): Changed<S, unknown>;
}

/** The ways to begin a statement. */
export interface Statements {
  <R extends TableReference>(table: R): TableQuery<TableIn<R> & TableName, ScopeOf<R>, CamelCased<RowIn<R>>[]>;
  raw(sql: string, bindings?: Bindings): Raw;
  ref(column: Qualified<{ [T in TableName]: Tables[T]['row'] }>): Expression;
  fn: { now(): Expression };
  /** `pooled`: sessions are shared, see `connect`. */
  client: { config: { pooled?: boolean } };
}
